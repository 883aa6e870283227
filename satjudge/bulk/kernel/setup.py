"""Sets up the arrays of the kernel in its memory, from the contents of a table file (docs/guides/kernel.md).

Therefore a host only has to copy the contents to the memory. Here, the memory is three arrays of whole numbers, which have one,
four and eight bytes.
"""

from __future__ import annotations

from satjudge.bulk.kernel.memory import *

# the functions of the other modules are defined only when this file is printed as C
# mypy: ignore-errors


# ---- columns ----


@compiled
def read_difference(column_address, bytes_per_number, row_count, row):
    """Return a row's signed number from a column that has the first bytes of all numbers, then all second bytes, and so on."""
    found = numpy.int64(0)
    for plane in range(bytes_per_number):
        found |= numpy.int64(memory_8[column_address + plane * row_count + row]) << 8 * plane
    return found - (found >> 8 * bytes_per_number - 1 << 8 * bytes_per_number)


@called
def unpack(column_address, bytes_per_number, row_count, target_address, target_width, stride):
    """Restore a column of differences: write its sums to memory, `stride` numbers apart, each `target_width` bytes wide."""
    total = numpy.int64(0)
    for number in range(row_count):
        total += read_difference(column_address, bytes_per_number, row_count, number)
        if target_width == LONG:
            memory_64[(target_address >> 3) + number * stride] = total
        else:
            memory_32[(target_address >> 2) + number * stride] = total


@called
def copy_bytes(source_address, byte_count, target_address):
    """Copy bytes from one address of the memory to another."""
    for number in range(byte_count):
        memory_8[target_address + number] = memory_8[source_address + number]


# ---- hash tables: a row of numbers for each slot, the key first ----


@called
def clear_table(table_address, slot_count, row_width):
    """Mark all slots of a hash table in the memory as empty."""
    for place in range(slot_count * row_width):
        memory_64[(table_address >> 3) + place] = NONE


@called
def enter_key(table_address, slot_count, row_width, key):
    """Enter a new key in a hash table, and return the index in memory where its row begins; -1 if the table is full."""
    first = slot_of(key, slot_count - 1)
    for step in range(slot_count):
        row = (table_address >> 3) + (first + step & slot_count - 1) * row_width
        if memory_64[row] == NONE:
            memory_64[row] = key
            return row
    return NONE


@called
def fill_table(keys_address, key_count, value_columns, table_address, slot_count):
    """Fill a hash table from a column of keys in memory, which columns of values follow."""
    clear_table(table_address, slot_count, 1 + value_columns)
    for number in range(key_count):
        row = enter_key(table_address, slot_count, 1 + value_columns, memory_64[(keys_address >> 3) + number])
        for value in range(1, 1 + value_columns):
            memory_64[row + value] = memory_64[(keys_address >> 3) + value * key_count + number]


@called
def fill_texts(lengths_address, text_count, pool_address, table_address, slot_count):
    """Fill the table of texts from columns of lengths, kinds and numbers, and from the pool, which has the texts end to end."""
    clear_table(table_address, slot_count, 4)
    start = numpy.int64(0)
    for number in range(text_count):
        length = memory_64[(lengths_address >> 3) + number]
        key = memory_64[(lengths_address >> 3) + text_count + number]
        for place in range(start, start + length):
            key = mixed_in(key, numpy.int64(memory_8[pool_address + place]))
        row = enter_key(table_address, slot_count, 4, key & TEXT_KEYS)
        memory_64[row + 1] = start
        memory_64[row + 2] = length
        memory_64[row + 3] = memory_64[(lengths_address >> 3) + 2 * text_count + number]
        start += length


# ---- the contents of a table file ----


@compiled
def read_step(step, part):
    """Return one number of the setup step that begins at an index of the memory: part 0 is its kind, others are arguments."""
    return memory_32[step + part]


@called
def take_step(base, step):
    """Carry out the setup step at an index of the memory; its addresses count from `base`, where the contents begin."""
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
def load(contents_address):
    """Set up all arrays from the contents of a table file in memory; return 1, or 0 if they are for another kernel."""
    start = contents_address >> 2
    if memory_32[start] != CONTENTS or memory_32[start + 1] != OF_DESCRIPTORS:
        return 0
    descriptors, steps = start + CONTENTS_HEAD, memory_32[start + 2]
    for number in range(OF_DESCRIPTORS):
        value = memory_32[descriptors + number]
        memory_32[(first_descriptor() >> 2) + number] = value + contents_address if number & 3 == 0 else value
    for step in range(steps):
        take_step(contents_address, descriptors + OF_DESCRIPTORS + step * STEP)
    return 1
