# --- base
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict, model_serializer


class Event(BaseModel):
    """Fields that are None are not written, but those of any type that were set to it."""

    model_config = ConfigDict(strict=True)  # "7" is no number

    @model_serializer(mode="wrap")
    def without_absent(self, write):
        fields = {field.alias or name: (name, field) for name, field in type(self).model_fields.items()}

        def is_absent(key, value):
            if value is not None or key not in fields:
                return False
            name, field = fields[key]
            is_any = field.is_required() or Any in get_args(field.annotation)
            return not is_any or name not in self.model_fields_set

        return {key: value for key, value in write(self).items() if not is_absent(key, value)}
# --- end
