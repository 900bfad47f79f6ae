"""How people ask for each function: tables of forms, one module a field."""

from builder.embedded.forms import Form
from builder.embedded.wordings import arithmetic, bits, comparisons, lists, theory, vectors

FORMS: tuple[Form, ...] = (
    arithmetic.FORMS + theory.FORMS + lists.FORMS + vectors.FORMS + comparisons.FORMS + bits.FORMS
)
