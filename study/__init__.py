"""The study of 2014 reproduced: protocol, slips, claims, printed numbers and the run that compares them."""
