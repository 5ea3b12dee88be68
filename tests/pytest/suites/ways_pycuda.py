"""Further ways of meeting a failure; tests/bats/pytest.bats chooses among them by name."""

import numpy as np
import pycuda.driver as cuda
import pytest
from sixty_pycuda import Device

BAD = 1 << 43


@pytest.fixture(scope="module", name="device")
def fixture_device():
    return Device()


@pytest.fixture(name="spoilt")
def fixture_spoilt(device):
    device.scatter(BAD, 1)
    return device


def test_sound(device):
    device.scatter(0, 1)
    assert device.first() == 1


def test_swallows(device):
    device.scatter(BAD, 2)
    with pytest.raises(cuda.LogicError):
        device.first()


def test_by_fixture(spoilt):
    spoilt.scatter(0, 1)


def test_looks(device):
    assert device.first() == 1


# Work launched while the modules are loaded belongs to no test.
if "ways_pycuda_at_import" in __name__:
    EARLY = Device()
    EARLY.scatter(BAD, np.float32(3))

    def test_early():
        EARLY.first()
