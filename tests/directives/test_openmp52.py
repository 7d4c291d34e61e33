"""Every clause that OpenMP 5.2 allows on a directive has its row: none is unknown here."""

from __future__ import annotations

import pytest

from rex_build.directives.clauses import CLAUSES, DIRECTIVES

# Directive or leaf construct of C programs, and the clauses that its section in OpenMP 5.2 lists.
ALLOWED = {
    "allocate": "align allocator",
    "assume": "absent contains holds no_openmp no_openmp_routines no_parallelism",
    "assumes": "absent contains holds no_openmp no_openmp_routines no_parallelism",
    "atomic": "read write update capture compare fail weak acq_rel acquire relaxed release seq_cst hint",
    "begin assumes": "absent contains holds no_openmp no_openmp_routines no_parallelism",
    "begin declare target": "device_type indirect",
    "begin declare variant": "match",
    "begin metadirective": "when otherwise",
    "cancel": "if parallel sections for taskgroup",
    "cancellation point": "parallel sections for taskgroup",
    "critical": "hint",
    "declare mapper": "map",
    "declare reduction": "initializer",
    "declare simd": "aligned inbranch linear notinbranch simdlen uniform",
    "declare target": "device_type enter indirect link to",
    "declare variant": "adjust_args append_args match",
    "depobj": "depend destroy update",
    "dispatch": "depend device is_device_ptr nocontext novariants nowait",
    "distribute": "allocate collapse dist_schedule firstprivate lastprivate order private",
    "error": "at message severity",
    "flush": "acq_rel acquire relaxed release seq_cst",
    "for": "allocate collapse firstprivate lastprivate linear nowait order ordered private reduction schedule",
    "interop": "depend destroy device init nowait use",
    "loop": "bind collapse lastprivate order private reduction",
    "masked": "filter",
    "metadirective": "when otherwise default",
    "ordered": "doacross depend simd threads",
    "parallel": "allocate copyin default firstprivate if num_threads private proc_bind reduction shared",
    "requires": "atomic_default_mem_order dynamic_allocators reverse_offload unified_address unified_shared_memory",
    "scan": "exclusive inclusive",
    "scope": "allocate firstprivate nowait private reduction",
    "sections": "allocate firstprivate lastprivate nowait private reduction",
    "simd": "aligned collapse if lastprivate linear nontemporal order private reduction safelen simdlen",
    "single": "allocate copyprivate firstprivate nowait private",
    "target": (
        "allocate defaultmap depend device firstprivate has_device_addr if in_reduction is_device_ptr map nowait "
        "private thread_limit uses_allocators"
    ),
    "target data": "device if map use_device_addr use_device_ptr",
    "target enter data": "depend device if map nowait",
    "target exit data": "depend device if map nowait",
    "target update": "depend device from if nowait to",
    "task": (
        "affinity allocate default depend detach final firstprivate if in_reduction mergeable priority private shared "
        "untied"
    ),
    "taskgroup": "allocate task_reduction",
    "taskloop": (
        "allocate collapse default final firstprivate grainsize if in_reduction lastprivate mergeable nogroup "
        "num_tasks priority private reduction shared untied"
    ),
    "taskwait": "depend nowait",
    "teams": "allocate default firstprivate num_teams private reduction shared thread_limit",
    "tile": "sizes",
    "unroll": "full partial",
}  # fmt: skip
WITHOUT_CLAUSES = (
    "barrier", "end assumes", "end declare target", "end declare variant", "end metadirective", "master", "nothing",
    "section", "taskyield", "threadprivate",
)  # fmt: skip
# Keywords inside clauses, by the role that the table gives them.
KEYWORDS = {
    ("affinity", "modifier"): "iterator",
    ("at", "keyword"): "compilation execution",
    ("atomic_default_mem_order", "keyword"): "seq_cst acq_rel relaxed",
    ("bind", "keyword"): "teams parallel thread",
    ("default", "keyword"): "shared firstprivate private none",
    ("defaultmap", "behavior"): "alloc to from tofrom firstprivate present default none",
    ("defaultmap", "category"): "scalar aggregate pointer all",
    ("depend", "dependence-type"): "in out inout mutexinoutset inoutset depobj source sink",
    ("depend", "form"): "omp_all_memory",
    ("depend", "modifier"): "iterator",
    ("device", "modifier"): "ancestor device_num",
    ("device_type", "keyword"): "any host nohost",
    ("dist_schedule", "kind"): "static",
    ("doacross", "dependence-type"): "source sink",
    ("fail", "keyword"): "seq_cst acquire relaxed",
    ("from", "modifier"): "present mapper iterator",
    ("grainsize", "modifier"): "strict",
    ("lastprivate", "modifier"): "conditional",
    ("linear", "modifier"): "val ref uval",
    ("map", "map-type"): "alloc to from tofrom release delete",
    ("map", "modifier"): "always close present mapper iterator",
    ("num_tasks", "modifier"): "strict",
    ("order", "keyword"): "concurrent",
    ("order", "modifier"): "reproducible unconstrained",
    ("proc_bind", "keyword"): "master primary close spread",
    ("reduction", "modifier"): "inscan task default",
    ("schedule", "kind"): "static dynamic guided auto runtime",
    ("schedule", "modifier"): "monotonic nonmonotonic simd",
    ("severity", "keyword"): "fatal warning",
    ("to", "modifier"): "present mapper iterator",
    ("update", "keyword"): "in out inout mutexinoutset inoutset",
}


@pytest.mark.parametrize("directive", ALLOWED)
def test_clauses_of_a_directive(directive):
    assert directive in DIRECTIVES
    rules = {name: CLAUSES.get(name) for name in ALLOWED[directive].split()}
    assert [name for name, rule in rules.items() if rule is None or directive not in rule.allowed] == []


def test_directives_without_clauses():
    assert all(name in DIRECTIVES for name in WITHOUT_CLAUSES)


@pytest.mark.parametrize("where", KEYWORDS, ids=" ".join)
def test_keywords_of_a_clause(where):
    clause, role = where
    assert set(KEYWORDS[where].split()) <= set(CLAUSES[clause].words[role])
