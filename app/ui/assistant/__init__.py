"""The first-run assistant: this computer, the download, the build, the self-test."""
