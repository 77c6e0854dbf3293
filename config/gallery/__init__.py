"""The gallery of components, for people who build pages."""
