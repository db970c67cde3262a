from .model_criteria import criteria as criteria
from .page import report as report
from .run.run_study import run_study as run_study
from .text_claims import text_claims as text_claims
