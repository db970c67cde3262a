from .list import football_markets as football_markets
from .list import odds_chances as odds_chances
