"""The declarations of everything a recipe can name by `kind`. A new part costs one class in here."""
