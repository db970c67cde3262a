"""JSON as servers give it: games nested in objects, in lines or in one document."""
