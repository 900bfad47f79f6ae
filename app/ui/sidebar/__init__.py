"""The list of chats, its narrow form, and the search over everything."""
