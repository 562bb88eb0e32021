"""Validates the published examples with `jsonschema` alone.

    python3 validate.py <folder with the schemas of one version> ...

Prints one JSON object and fails if a verdict is wrong. `date-time` is checked here, because
`jsonschema` accepts any text as one by default.
"""
import json
import pathlib
import re
import sys
from datetime import datetime

from jsonschema import Draft7Validator, Draft202012Validator, FormatChecker

RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")

checker = FormatChecker(formats=())


@checker.checks("date-time", raises=ValueError)
def is_date_time(value):
    if not isinstance(value, str):
        return True
    if RFC3339.fullmatch(value) is None:
        return False
    datetime.fromisoformat(value[:19])
    return True


def validator(folder, name, draft):
    schema = json.loads((folder / name).read_text("utf-8"))
    draft.check_schema(schema)
    return draft(schema, format_checker=checker)


def check(folder):
    normative = validator(folder, "events.schema.json", Draft202012Validator)
    reader = validator(folder, "events.open.schema.json", Draft202012Validator)
    draft07 = validator(folder, "events.draft-07.schema.json", Draft7Validator)
    counts = {"known": 0, "unknown": 0, "invalid": 0}
    wrong = []

    def expect(path, document, verdicts):
        for name, judge, expected in verdicts:
            if judge.is_valid(document) != expected:
                wrong.append(f"{path}: {name} returned {not expected}, expected {expected}")

    for path in sorted(folder.glob("examples/*/*.json")):
        known = path.parent.name != "unknown-kind"
        counts["known" if known else "unknown"] += 1
        document = json.loads(path.read_text("utf-8"))
        verdicts = (("normative", normative, known), ("draft-07", draft07, known), ("open", reader, True))
        expect(path, document, verdicts)
    for path in sorted(folder.glob("invalid/*.json")):
        counts["invalid"] += 1
        document = json.loads(path.read_text("utf-8"))["value"]
        verdicts = (("normative", normative, False), ("draft-07", draft07, False), ("open", reader, False))
        expect(path, document, verdicts)
    return {"folder": str(folder), **counts, "wrong": wrong}


results = [check(pathlib.Path(folder)) for folder in sys.argv[1:]]
print(json.dumps(results))
sys.exit(any(result["wrong"] or result["known"] == 0 for result in results))
