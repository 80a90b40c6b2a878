"""The grammar behind the built-in corpus: one meaning, said in English, German and French."""
