"""The sixty tests of sixty_pycuda.py with PyTorch, for a GPU (scripts/gpu pytest): number 17 gathers
far outside of its tensor and waits for nothing, number 23 is the first to wait."""

import pytest
import torch


@pytest.fixture(scope="module", name="table")
def fixture_table():
    return torch.arange(1024, dtype=torch.float32, device="cuda")


@pytest.mark.parametrize("number", range(1, 61))
def test_gather(table, number):
    if 17 < number < 23:
        return
    first = 1 << 40 if number == 17 else number
    index = torch.full((32,), first, dtype=torch.int64, device="cuda")
    gathered = torch.gather(table, 0, index)
    if number != 17:
        assert gathered.sum().item() == 32 * number
