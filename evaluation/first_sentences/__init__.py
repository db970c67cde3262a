"""The first sentence of an answer, on terminal, page and in JSON: what the numbers imply, and no more.

Each function gets numbers and returns a sentence. Rules: a player is called the strongest only if the chance of this is
above a half; a tie names all who share it; a chance is never printed as 0% or 100%; differences within their error are
not findings; a number of one game, or of runs that did not converge, is not a finding.
"""
