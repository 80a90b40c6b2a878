"""How good a model is: BLEU, chrF, perplexity, alignment error rate, and the papers' pictures."""
