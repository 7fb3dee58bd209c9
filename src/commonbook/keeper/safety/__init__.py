"""What must not be kept: secrets (always) and personal data (as the person chose). Two rule sets that never mix."""

from commonbook.keeper.safety.personal import PersonalOutcome, apply_personal
from commonbook.keeper.safety.secrets import Masked, SecretSpan, find_secrets, has_secret, mask_secrets

__all__ = ["Masked", "PersonalOutcome", "SecretSpan", "apply_personal", "find_secrets", "has_secret", "mask_secrets"]
