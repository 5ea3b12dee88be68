"""oracle_judge - compares what culprit said about a random program with the truth, and counts.

One directory holds one program's run: truth.json (written by the program), sim.json (written by
simcuda), status, settings.json, output, bundles, and report.json (a line for each bundle).
scripts/oracle makes such directories, and explains the results.
"""

import json
import os
import re

MOST_WRONG_LIKELY = 0.001
STREAMS = ["one stream", "2-3 streams", "4+ streams"]
GRAPHS = ["graphs, one stream", "graphs, several"]
DOORS = {door: f"past culprit, {door}" for door in ("deepbind", "dlsym", "table", "heap")}
GROUPS = STREAMS + GRAPHS + list(DOORS.values()) + ["lag", "lost", "words"]
SCHEMES = ["auto", "side", "inline", "off"]
CLASSES = ["exact", "likely", "narrowed", "unlisted", "unknown", "no fault", "clean"]
# The classes of faults, by the kernel that has one.
FAULTS = {
    "SM exception": ["crooked", "astray", "beyond"],
    "memory fault": ["stray", "fetch", "through", "fetch_through", "sweep", "copy"],
    "trap, assertion": ["quit", "claim"],
}
DUMPS = ["the warp", "the code alone", "no dump that fits"]
STRENGTHS = ["unknown", "narrowed", "likely", "exact"]
WRONGS = [
    "exact WRONG", "likely WRONG", "narrowed WRONG", "node WRONG", "memory WRONG",
    "MISSED", "ALARM", "BROKEN", "DIFFERS",
]
SELF_WAIT = "timeout, and another one without culprit"  # a status


def read_lines(path):
    try:
        with open(path, errors="replace") as file:
            return file.read().splitlines()
    except FileNotFoundError:
        return []


def read_truth(directory):
    """Return the program's own account: {"program": {...}, "launch": {...}, "end": {...}}."""
    lines = [json.loads(line) for line in read_lines(f"{directory}/truth.json") if line]
    return {line["truth"]: line for line in lines}


def culprit_in(truth):
    for kind in ("launch", "copy", "graph_launch"):
        if kind in truth:
            return truth[kind]
    return None


def tag_of_hex(digits):
    return int.from_bytes(bytes.fromhex(digits[:8]), "little")


def tag_of(suspect):
    for argument in suspect.get("arguments") or []:
        if argument.get("index") == 0 and argument.get("hex"):
            return tag_of_hex(argument["hex"])
    return None


def is_culprit(suspect, culprit):
    """Compare by data that is unique to a submission: its tag, its destination, its graph's replay."""
    if suspect["kind"] != culprit["truth"]:
        return False
    if culprit["truth"] == "launch":
        return suspect["kernel"] == culprit["kernel"] and tag_of(suspect) == culprit["tag"]
    if culprit["truth"] == "copy":
        return suspect["copy"]["destination"] == culprit["destination"]
    graph = suspect["graph"]
    return graph["handle"] == culprit["handle"] and graph["replay"] == culprit.get("seen", culprit["replay"])


def wrong_memory(suspects, memory):
    """Return the report's wrong claim about the pointer to the start of that memory ({"pointer", "state",
    "size"}), or None if it is right or there is no claim. Freed memory may have been reallocated by now."""
    digits = int(memory["pointer"], 16).to_bytes(8, "little").hex() if memory else None
    for argument in (argument for suspect in suspects for argument in suspect.get("arguments") or []):
        told = argument.get("allocation")
        if not told or argument.get("hex") != digits:
            continue
        if (told["state"], told["start"], told["size"]) == (memory["state"], memory["pointer"], memory["size"]):
            continue
        if memory["state"] != "freed" or told["state"] != "inside" or told["size"] == memory["size"]:
            return (f"{memory['pointer']} is told to be {told['state']} {told['size']} bytes from {told['start']}, "
                    f"not {memory['state']} {memory['size']}")
    return None


def is_plan_kept(culprit, simulated):
    """Did simcuda see the fault where the program planned it?"""
    if simulated["kind"] == "copy":
        return culprit["truth"] == "copy"
    tag = culprit.get("tag" if culprit["truth"] == "launch" else "node_tag")
    if (simulated["kind"] == "graph") != (culprit["truth"] == "graph_launch"):
        return False
    if simulated["kind"] == "graph" and simulated["replay"] != culprit["replay"]:
        return False
    return simulated.get("params", "") != "" and tag_of_hex(simulated["params"]) == tag


def node_of(report, culprit):
    """Return (claim, width) about the node of the culprit graph. The claim is "WRONG" if it leaves out
    the right node, "likely WRONG" if it lists the right node after another one, None without a claim."""
    if culprit["truth"] != "graph_launch":
        return None, 0
    graphs = [s["graph"] for s in report.get("suspects") or [] if is_culprit(s, culprit)]
    if not graphs or not graphs[0].get("node_verdict"):
        return None, 0
    tags = [tag_of(node) for node in graphs[0]["candidates"]]
    count = graphs[0]["n_candidates"]
    is_named = culprit["node_tag"] in tags or count > len(tags)
    if graphs[0]["node_verdict"] == "exact":
        is_named = is_named and count == 1
    if graphs[0]["node_verdict"] == "unknown":
        return "unknown", count
    if graphs[0]["node_verdict"] == "likely" and is_named and tags[0] != culprit["node_tag"]:
        return "likely WRONG", count
    return graphs[0]["node_verdict"] if is_named else "WRONG", count


def told_in_process(directory, report):
    """Return (word, number) of the library's own first line. It knew no more than the report does."""
    lines = read_lines(f"{directory}/{os.path.basename(report['bundle'])}/verdict.txt")
    word = re.search(r"\) — (\w+)", lines[0]) if lines else None
    number = re.search(r"#(\d+)", lines[0]) if lines else None
    return word and word[1], number and int(number[1])


def judge_library(directory, report, culprit, is_past):
    """Judge the library's own line, printed at the failure, like the report. It may claim less than
    the report, since calls in other threads have returned since. If the culprit has no record, these
    calls may have been all of its suspects."""
    word, number = told_in_process(directory, report)
    if not word:
        return "DIFFERS", "the library said nothing"
    named = [s["submission"] for s in report.get("suspects") or [] if is_culprit(s, culprit)]
    if word in ("exact", "likely") and (is_past if not named else number not in named):
        return f"{word} WRONG", f"the library named #{number}"
    if not is_past and STRENGTHS.index(word) > STRENGTHS.index(report["verdict"]):
        return "DIFFERS", f"the library said {word}, the report {report['verdict']}"
    return None


def admits_lost(report):
    """A narrowed report may say that it lacks the records of some unfinished submissions, or their
    place, and so does not list them."""
    kinds = [evidence["kind"] for evidence in report.get("evidence") or []]
    return report["verdict"] == "narrowed" and not {"records_lost", "unplaced"}.isdisjoint(kinds)


def admits_unseen(report):
    """It may say that work went past culprit, so that no suspect need be the culprit."""
    kinds = [evidence["kind"] for evidence in report.get("evidence") or []]
    return report["verdict"] == "narrowed" and not {"bypassed", "unseen_work", "all_cleared"}.isdisjoint(kinds)


def admits_late(report):
    """It may say that finished work, which it does not name, can be the culprit: the fault contradicts the rest."""
    kinds = {evidence["kind"] for evidence in report.get("evidence") or []}
    return report["verdict"] == "narrowed" and {"fault_late", "fault_refused"} <= kinds


def is_first(reports, culprit):
    """Is the first suspect the culprit, whatever the verdict? None: there is no suspect."""
    suspects = reports[0].get("suspects") if reports else None
    return is_culprit(suspects[0], culprit) if suspects and culprit else None


def class_of(report, culprit, is_past=False):
    suspects = report.get("suspects") or []
    count = report.get("n_suspects", len(suspects))
    verdict = report["verdict"] or "unknown"
    is_named = any(is_culprit(suspect, culprit) for suspect in suspects)
    if verdict == "unknown":
        return "unknown"
    if verdict in ("exact", "likely") and count != 1:
        return f"{verdict} WRONG"
    if not is_named and (count > len(suspects) or admits_lost(report) or admits_late(report)
                         or is_past and admits_unseen(report)):
        return "unlisted"
    return verdict if is_named else f"{verdict} WRONG"


def judge_failure(directory, truth, reports, is_simulated):
    simulated = [json.loads(line) for line in read_lines(f"{directory}/sim.json")]
    culprit = culprit_in(truth)
    if not culprit:
        return "BROKEN", "a failure before the bad call"
    if is_simulated and (len(simulated) != 1 or not is_plan_kept(culprit, simulated[0])):
        return "BROKEN", "the fault is not the planned one"
    if len(reports) != 1:
        return "MISSED", f"{len(reports)} reports"
    result = class_of(reports[0], culprit, "past" in truth)
    if result.endswith("WRONG"):
        return result, ""
    node = node_of(reports[0], culprit)[0] or ""
    if node.endswith("WRONG"):
        return "node WRONG", "the node is not among those named" if node == "WRONG" else "another node is likely"
    named = [suspect for suspect in reports[0].get("suspects") or [] if is_culprit(suspect, culprit)]
    wrong = wrong_memory(named, culprit.get("memory"))
    if wrong:
        return "memory WRONG", wrong
    return judge_library(directory, reports[0], culprit, "past" in truth) or (result, "")


def judge_self_wait(culprit, reports):
    """The program may have failed before it waited. A verdict is still compared with the truth."""
    result = class_of(reports[0], culprit) if culprit and len(reports) == 1 else ""
    if result.endswith("WRONG"):
        return result, "then the program waited for itself"
    return "no fault", ""


def judge(directory, is_simulated):
    """(result, reason)."""
    truth = read_truth(directory)
    status = " ".join(read_lines(f"{directory}/status"))
    reports = [json.loads(line) for line in read_lines(f"{directory}/report.json")]
    if status == SELF_WAIT:
        return judge_self_wait(culprit_in(truth), reports)
    if status not in ("0", "1") or "end" not in truth:
        tail = read_lines(f"{directory}/output")[-1:]
        return "BROKEN", f"status {status}: {' '.join(tail)}"
    if truth["end"]["code"]:
        return judge_failure(directory, truth, reports, is_simulated)
    if reports and culprit_in(truth):
        return "BROKEN", "a fault that no call told the program of"
    if reports:
        return "ALARM", f"{reports[0]['verdict']} where nothing failed"
    if os.path.exists(f"{directory}/sim.json"):
        return "BROKEN", "a fault that the program did not see"
    return ("no fault" if culprit_in(truth) else "clean"), ""


def group_of(directory):
    settings = json.loads(" ".join(read_lines(f"{directory}/settings.json")) or "{}")
    truth = read_truth(directory)
    streams = truth.get("program", {}).get("streams", 1)
    if settings.get("ORACLE_DOOR") == "heap":
        return DOORS["heap"]
    if "SIMCUDA_MARKER_DELAY_US" in settings:
        return "lag"
    if re.match("lag|still|lie|stuck|blank", settings.get("SIMCUDA_PROGRESS", "")):
        return "words"
    if "ORACLE_DOOR" in settings:
        return DOORS[settings["ORACLE_DOOR"]]
    if "CULPRIT_RECORDS" in settings:
        return "lost"
    if "graph_launch" in truth:
        return GRAPHS[streams > 1]
    return STREAMS[(streams > 1) + (streams > 3)]


def dump_of(reports):
    """Classify the core dump's information about the fault; None if no dump was wanted."""
    if not reports or (reports[0]["meta"] or {}).get("coredumps") != "on":
        return None
    dump = reports[0].get("coredump")
    if not dump or not dump["used"]:
        return DUMPS[2]
    return DUMPS[0] if dump["grids"] and not dump["places"] else DUMPS[1]


def fault_of(culprit):
    """Classify the fault of the culprit; None without one."""
    kernel = culprit and ("copy" if culprit["truth"] == "copy" else culprit.get("kernel"))
    return next((fault for fault, kernels in FAULTS.items() if kernel in kernels), None)


def result_of(seed, directory, is_simulated):
    """Return the result of one program, with everything that is counted or printed about it."""
    result, reason = judge(directory, is_simulated)
    settings = json.loads(" ".join(read_lines(f"{directory}/settings.json")) or "{}")
    reports = [json.loads(line) for line in read_lines(f"{directory}/report.json")]
    culprit = culprit_in(read_truth(directory))
    node = node_of(reports[0], culprit) if reports and culprit else (None, 0)
    return {
        "node": node[0], "node_width": node[1], "dump": dump_of(reports), "fault": fault_of(culprit),
        "seed": seed, "result": result, "reason": reason, "group": group_of(directory),
        "scheme": settings.get("CULPRIT_MARKERS", "auto").split(":")[0],
        "width": reports[0].get("n_suspects", 0) if reports else 0,
        "first": is_first(reports, culprit),
        "streams": read_truth(directory).get("program", {}).get("streams", 1),
    }


def share(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


def table_row(name, results):
    """One line: counts of every class, and the share of exact ones among failures."""
    counts = {word: 0 for word in CLASSES + WRONGS}
    for result in results:
        counts[result["result"]] += 1
    widths = [r["width"] for r in results if r["result"] in ("narrowed", "unlisted")]
    width = f"{sum(widths) / len(widths):.1f}" if widths else "-"
    failures = sum(counts.values()) - counts["clean"] - counts["no fault"]
    cells = [
        name, len(results), counts["exact"], counts["exact WRONG"], counts["likely"],
        counts["likely WRONG"], counts["narrowed"], counts["narrowed WRONG"], width,
        counts["node WRONG"], counts["memory WRONG"],
        counts["unlisted"], counts["unknown"], counts["MISSED"], counts["ALARM"],
        counts["BROKEN"], counts["DIFFERS"], counts["no fault"], counts["clean"],
        share(counts["exact"], failures), share(counts["exact"] + counts["likely"], failures),
    ]
    return [str(cell) for cell in cells]


def align(rows):
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |"
        for row in rows
    )


def dumps_table(results):
    """Count the classes of verdicts by the contents of the dump; "" without dumps."""
    head = ["the dump has", "failures"] + CLASSES[:3] + ["other", "exact %", "one named"]
    rows = [head, ["---"] * len(head)]
    for dump in DUMPS:
        chosen = [r["result"] for r in results if r["dump"] == dump and r["result"] != "BROKEN"]
        counts = [chosen.count(word) for word in CLASSES[:3]]
        cells = [dump, len(chosen), *counts, len(chosen) - sum(counts),
                 share(counts[0], len(chosen)), share(counts[0] + counts[1], len(chosen))]
        if chosen:
            rows.append([str(cell) for cell in cells])
    return align(rows) if len(rows) > 2 else ""


def table_of(results):
    head = ["group", "programs", "exact", "WRONG", "likely", "WRONG", "narrowed", "WRONG", "width", "node WRONG", "memory WRONG",
            "unlisted", "unknown", "MISSED", "ALARM", "BROKEN", "DIFFERS", "no fault", "clean",
            "exact %", "one named"]
    rows = [head, ["---"] * len(head)]
    for group in GROUPS:
        chosen = [result for result in results if result["group"] == group]
        for scheme in SCHEMES:
            of_scheme = [result for result in chosen if result["scheme"] == scheme]
            if of_scheme:
                rows.append(table_row(f"{group}, {scheme}", of_scheme))
    for group in GROUPS:
        chosen = [result for result in results if result["group"] == group]
        if chosen:
            rows.append(table_row(f"**{group}**", chosen))
    rows.append(table_row("**all**", results))
    return align(rows)


def is_wide(result):
    """True if there are more suspects than streams. A stream runs one at a time, except programmatic launches."""
    return result["first"] is not None and result["width"] > result["streams"]


def order_table(results):
    """How often the first suspect is the culprit, and how many there are at most."""
    head = ["group", "with suspects", "first right", "%", "of several", "first right", "%",
            "more suspects than streams"]
    rows = [head, ["---"] * len(head)]
    for group in GROUPS + ["all"]:
        chosen = [r for r in results if r["first"] is not None and group in (r["group"], "all")]
        several = [r for r in chosen if r["width"] > 1]
        right, right_of = (sum(r["first"] for r in some) for some in (chosen, several))
        cells = [group, len(chosen), right, share(right, len(chosen)), len(several), right_of,
                 share(right_of, len(several)), sum(map(is_wide, chosen))]
        if chosen:
            rows.append([str(cell) for cell in cells])
    return align(rows) if len(rows) > 2 else ""


def faults_table(results):
    """Count the verdicts by the class of the fault and the group of programs."""
    head = ["fault", "group", "failures"] + CLASSES[:3] + ["other", "exact %", "one named", "first right",
            "nodes", "exact", "likely", "one named"]
    rows = [head, ["---"] * len(head)]
    for fault in FAULTS:
        for group in STREAMS + GRAPHS:
            chosen = [r for r in results if (r["fault"], r["group"]) == (fault, group) and r["result"] != "no fault"]
            counts = [sum(r["result"] == word for r in chosen) for word in CLASSES[:3]]
            nodes = [r["node"] for r in chosen if r["node"]]
            named = [nodes.count(word) for word in CLASSES[:2]]
            cells = [fault, group, len(chosen), *counts, len(chosen) - sum(counts), share(counts[0], len(chosen)),
                     share(counts[0] + counts[1], len(chosen)),
                     share(sum(bool(r["first"]) for r in chosen), len(chosen)),
                     len(nodes), *named, share(sum(named), len(nodes))]
            if chosen:
                rows.append([str(cell) for cell in cells])
    return align(rows) if len(rows) > 2 else ""


def nodes_line(results):
    """Count the verdicts about the node, for culprits that are graphs and among the suspects."""
    told = [result for result in results if result["node"]]
    if not told:
        return ""
    counts = {word: sum(r["node"] == word for r in told) for word in ("exact", "likely", "narrowed", "unknown")}
    widths = [r["node_width"] for r in told if r["node"] == "narrowed"]
    width = f", of {sum(widths) / len(widths):.1f} nodes" if widths else ""
    return (f"nodes of {len(told)} graphs: {counts['exact']} exact, {counts['likely']} likely, "
            f"{counts['narrowed']} narrowed"
            f"{width}, {counts['unknown']} unknown")


def is_good(results):
    wrong = [r["result"] for r in results if r["result"] in WRONGS]
    likely = sum(r["result"].startswith("likely") for r in results)
    likely_wrong = wrong.count("likely WRONG")
    is_all_likely = likely_wrong == len(wrong)
    return bool(results) and is_all_likely and likely_wrong <= MOST_WRONG_LIKELY * likely
