"""oracle_settings - the settings of simcuda and culprit for each seed of scripts/oracle. A part with its own
random numbers does not change the other parts of a seed.
"""

import random


def coredump_settings(seed):
    """Uses its own random numbers: a seed without core dumps does not change."""
    dice = random.Random(f"coredump {seed}")
    return {
        "SIMCUDA_COREDUMP": dice.choice(["", "", "", "told", "gone"]),
        "SIMCUDA_COREDUMP_LATE_MS": str(dice.choice([0, 3, 30, 100])),
        "SIMCUDA_COREDUMP_GROW_MS": str(dice.choice([0, 0, 0, 2])),
    }


def graph_markers(seed):
    """Uses its own random numbers, like the function above."""
    return random.Random(f"graph markers {seed}").choice(["off", "off", "every", "2"])


def progress_words(seed, may_be_wrong):
    """Choose the driver's progress counters, with separate random numbers like above. The counters never
    vanish: the driver keeps their pages mapped as long as the context lives, and launches read them."""
    dice = random.Random(f"words {seed}")
    n = dice.choice([2, 5, 20, 60, 200])
    wrong = [f"{kind}-after={n}" for kind in ("lie", "stuck", "blank")]
    still = f"still={1 + n % 7}"
    words = dice.choice(["layout"] * 5 + ["ends"] + ["other"] * 2 + ["none", "lag=20000", "lag=2000000", still] + wrong)
    return words if may_be_wrong or words not in wrong else "layout"


def fault_evidence(seed, is_wrong):
    """Choose what the simulated kernel modules and the objects of functions say of a fault, with separate
    random numbers like above."""
    dice = random.Random(f"fault {seed}")
    modules = [""] * 8 + ["absent", "refused", "550", "555", "lost", "garbage", "layout", "many", "lie", "foreign",
                          "gvisor", "absent,gvisor", "lie,foreign", "lost,foreign", "untimed", "early"]
    words = ["0x68"] * 8 + ["none", "other", "lie"]
    if is_wrong:
        modules = ["lost", "garbage", "layout", "many", "lie", "foreign", "lie,foreign", "lost,foreign", "early"]
        words = ["0x68"] * 2 + ["other", "lie"]
    return {"SIMKERNEL": dice.choice(modules), "SIMCUDA_CODE": dice.choice(words)}


def door_of(seed, wanted):
    """Choose the way in which some calls bypass culprit."""
    return random.Random(f"door {seed}").choice(["deepbind", "dlsym", "table"]) if wanted == "any" else wanted


def settings_of(seed, options):
    """Return the seed's environment: simcuda's and culprit's settings."""
    dice = random.Random(seed)
    scheme = dice.choice(["auto"] * 3 + ["side"] * 2 + ["inline"] * 2 + ["off"])
    sparse = dice.choice(["", "", "", ":3", ":16"]) if scheme in ("side", "inline") else ""
    settings = {
        "CULPRIT_MARKERS": options.markers or scheme + sparse,
        "CULPRIT_GRAPH_MARKERS": graph_markers(seed),
    }
    if dice.randrange(16) == 0:
        settings["CULPRIT_RECORDS"] = "64"
    simulated = {
        "SIMCUDA_SEED": str(seed % 4 and seed),
        "SIMCUDA_LATE_MS": str(dice.choice([0, 1, 3, 10])),
        "SIMCUDA_DEVICES": str(dice.choice([1, 2])),
        "SIMCUDA_QUEUES": str(dice.choice([8, 8, 8, 1, 2, 16])),
        "SIMCUDA_QUEUE_DEPTH": str(dice.choice([1022, 1022, 1022, 16, 3])),
        "SIMCUDA_PROGRESS": progress_words(seed, options.wrong_words),
    }
    simulated.update(fault_evidence(seed, options.wrong_faults))
    if dice.randrange(8) == 0:
        simulated["SIMCUDA_DELAY_US"] = str(dice.choice([0, 20, 200]))
        simulated["SIMCUDA_MARKER_DELAY_US"] = str(dice.choice([20, 200, 2000]))
    connections = dice.choice([None, None, 1, 2, 4])
    if options.coredump:
        settings["CULPRIT_COREDUMP"] = "on"
        simulated.update(coredump_settings(seed))
    if not options.gpu:
        settings.update(simulated)
    elif connections:
        settings["CUDA_DEVICE_MAX_CONNECTIONS"] = str(connections)
    if options.defaults:
        settings = {name: settings[name] for name in settings if not name.startswith("CULPRIT_")}
    if options.checks:
        settings.update(CULPRIT_NAN=".", CULPRIT_CHECKSUMS="1")
    if options.bypass:
        settings["ORACLE_DOOR"] = door_of(seed, options.bypass)
    return settings
