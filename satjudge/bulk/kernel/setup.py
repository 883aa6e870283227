"""Sets up the arrays of the kernel in its memory, from the contents of a table file (docs/guides/kernel.md).

So every host need only copy the contents to the memory. The memory is three arrays of whole numbers here, of one, four and
eight bytes.
"""

from __future__ import annotations

from satjudge.bulk.kernel.memory import *

# what the functions of the other modules are, is there when this is printed
# mypy: ignore-errors


# ---- columns ----


@compiled
def read_difference(first, planes, count, number):
    """Return a signed number of a column that is stored byte by byte: all first bytes, then all second bytes, and so on."""
    found = numpy.int64(0)
    for plane in range(planes):
        found |= numpy.int64(memory_8[first + plane * count + number]) << 8 * plane
    return found - (found >> 8 * planes - 1 << 8 * planes)


@called
def unpack(first, planes, count, target, width, stride):
    """Restore a column that is stored as differences, and write its numbers to memory at a distance of `stride`."""
    total = numpy.int64(0)
    for number in range(count):
        total += read_difference(first, planes, count, number)
        if width == LONG:
            memory_64[(target >> 3) + number * stride] = total
        else:
            memory_32[(target >> 2) + number * stride] = total


@called
def copy_bytes(first, count, target):
    """Copy bytes within the memory."""
    for number in range(count):
        memory_8[target + number] = memory_8[first + number]


# ---- hash tables: a row of numbers for each slot, the key first ----


@called
def clear_table(table_at, slots, width):
    """Mark all slots of a hash table as empty."""
    for place in range(slots * width):
        memory_64[(table_at >> 3) + place] = NONE


@called
def enter_key(table_at, slots, width, key):
    """Enter a new key in a hash table, and return the index where its row begins; -1 if the table is full."""
    first = slot_of(key, slots - 1)
    for step in range(slots):
        row = (table_at >> 3) + (first + step & slots - 1) * width
        if memory_64[row] == NONE:
            memory_64[row] = key
            return row
    return NONE


@called
def fill_table(keys, count, values, table_at, slots):
    """Fill a hash table from a column of keys that is followed by columns of values."""
    clear_table(table_at, slots, 1 + values)
    for number in range(count):
        row = enter_key(table_at, slots, 1 + values, memory_64[(keys >> 3) + number])
        for value in range(1, 1 + values):
            memory_64[row + value] = memory_64[(keys >> 3) + value * count + number]


@called
def fill_texts(lengths, count, pool_at, table_at, slots):
    """Fill the table of texts from columns of their lengths, kinds and numbers, and the pool, which has them end to end."""
    clear_table(table_at, slots, 4)
    start = numpy.int64(0)
    for number in range(count):
        length = memory_64[(lengths >> 3) + number]
        key = memory_64[(lengths >> 3) + count + number]
        for place in range(start, start + length):
            key = mixed_in(key, numpy.int64(memory_8[pool_at + place]))
        row = enter_key(table_at, slots, 4, key & TEXT_KEYS)
        memory_64[row + 1] = start
        memory_64[row + 2] = length
        memory_64[row + 3] = memory_64[(lengths >> 3) + 2 * count + number]
        start += length


# ---- the contents of a table file ----


@compiled
def read_step(step, part):
    """Return a number of a setup step: its kind (part 0) or an argument."""
    return memory_32[step + part]


@called
def take_step(base, step):
    """Carry out one setup step, whose addresses count from the beginning of the contents."""
    first, count = base + read_step(step, 1), read_step(step, 2)
    if read_step(step, 0) == PACKED:
        unpack(first, read_step(step, 3), count, base + read_step(step, 4), read_step(step, 5), read_step(step, 6))
    elif read_step(step, 0) == BYTES:
        copy_bytes(first, count, base + read_step(step, 4))
    elif read_step(step, 0) == TABLE:
        fill_table(first, count, read_step(step, 3), base + read_step(step, 4), read_step(step, 5))
    else:
        fill_texts(first, count, base + read_step(step, 3), base + read_step(step, 4), read_step(step, 5))


@called
def load(base):
    """Set up all arrays from the contents at an address; return 1, or 0 if the contents are for another kernel."""
    start = base >> 2
    if memory_32[start] != CONTENTS or memory_32[start + 1] != OF_DESCRIPTORS:
        return 0
    descriptors, steps = start + CONTENTS_HEAD, memory_32[start + 2]
    for number in range(OF_DESCRIPTORS):
        value = memory_32[descriptors + number]
        memory_32[(first_descriptor() >> 2) + number] = value + base if number & 3 == 0 else value
    for step in range(steps):
        take_step(base, descriptors + OF_DESCRIPTORS + step * STEP)
    return 1
