"""Muon in float32: torch's own orthogonalises in bfloat16, which a CPU without bfloat16 units does ten times slower."""

from collections.abc import Callable, Iterable

import torch

# Quintic Newton-Schulz: five rounds bring every singular value near 1.
COEFFICIENTS = (3.4445, -4.7750, 2.0315)
ROUNDS = 5


def orthogonalise(matrix: torch.Tensor) -> torch.Tensor:
    """A matrix with the same singular vectors and singular values near 1."""
    a, b, c = COEFFICIENTS
    tall = matrix.shape[0] > matrix.shape[1]
    x = matrix.T if tall else matrix
    x = x / x.norm().clamp(min=1e-7)
    for _ in range(ROUNDS):
        gram = x @ x.T
        x = a * x + (b * gram + c * gram @ gram) @ x
    return x.T if tall else x


class Muon(torch.optim.Optimizer):
    """Nesterov momentum, orthogonalised; steps scaled to the size of AdamW's."""

    def __init__(self, parameters: Iterable[torch.Tensor], rate: float, momentum: float = 0.95, decay: float = 0.02) -> None:
        super().__init__(parameters, {"lr": rate, "momentum": momentum, "decay": decay})

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> None:
        """One step for every matrix that has a gradient."""
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is None:
                    continue
                state = self.state[parameter]
                average = state.setdefault("average", torch.zeros_like(parameter))
                average.lerp_(parameter.grad, 1 - group["momentum"])
                update = orthogonalise(parameter.grad.lerp(average, group["momentum"]))
                parameter.mul_(1 - group["lr"] * group["decay"])
                parameter.add_(update, alpha=-0.2 * max(parameter.shape) ** 0.5 * group["lr"])
