"""The settings screen: a row for every entry of `app.preferences`, applied at once; token, storage, shortcuts."""
