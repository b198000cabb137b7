"""What may leave the server: texts and values without credentials, personal data and the inside of the machine.

`sanitize` and `sanitize_value` hide every class, for errors, logs, audit rows and traces. `redact_credentials` hides only what opens
doors, for results that are meant to be read. The deny list behind them is the second guard; messages written as templates are the first.
"""

from obs.sanitize.classes import redact_credentials, sanitize, sanitize_value
from obs.sanitize.view import REDACTED

__all__ = ["REDACTED", "redact_credentials", "sanitize", "sanitize_value"]
