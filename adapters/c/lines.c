/* Answers lines of the batch format by the compiled kernel, without any runtime: ./lines TABLES < lines.jsonl

   wasm2c (wabt) puts kernel.wasm into C, and `satjudge kernel -o TABLES` writes the table file. docs/guides/kernel.md says what is done here.

       wasm2c kernel.wasm -n kernel -o kernel.c
       cc -O2 -DANSWER=Z_kernelZ_answer_line_7 -o lines lines.c kernel.c -lwasm-rt-impl -lz -lm

   ANSWER is `answer_line` in the header of the table file, with Z_kernelZ_ before it. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "kernel.h"

static void refuse(const char *why) {
  fprintf(stderr, "lines: %s\n", why);
  exit(2);
}

/* Return the number behind a key of the header, which is looked for behind another one. */
static long number(const char *header, const char *outer, const char *key) {
  const char *from = strstr(header, outer);
  const char *found = from ? strstr(from, key) : NULL;
  if (!found) refuse("the header of the table file lacks a key");
  return strtol(found + strlen(key), NULL, 10);
}

int main(int count, char **words) {
  FILE *file = count == 2 ? fopen(words[1], "rb") : NULL;
  static char tables[1 << 24], line[1 << 16];
  size_t size = file ? fread(tables, 1, sizeof tables - 1, file) : 0;
  char *header = memchr(tables, '\n', size), *contents = header ? strchr(header + 1, '\n') : NULL;
  if (!contents || strncmp(tables, "satjudge tables 1\n", 18)) refuse("name a table file: ./lines TABLES");
  *contents++ = 0;

  Z_kernel_instance_t kernel;
  wasm_rt_init();
  Z_kernel_init_module();
  Z_kernel_instantiate(&kernel);
  wasm_rt_memory_t *memory = Z_kernelZ_memory(&kernel);
  long base = (Z_kernelZ_first_free(&kernel) + 63) / 64 * 64, needed = base + number(header, "\"memory\"", ":");
  if (needed > (long)memory->size) wasm_rt_grow_memory(memory, (needed - memory->size + 65535) / 65536);

  uLongf place = base;
  for (char *part = strstr(header, "\"parts\""); (part = strstr(part, "\"deflated\":")); part++) {
    uLongf inflated = number(part, "", "\"bytes\":"), deflated = number(part, "", "\"deflated\":");
    if (uncompress(memory->data + place, &inflated, (Bytef *)contents, deflated) != Z_OK) refuse("the table file is damaged");
    place += inflated;
    contents += deflated;
  }
  if (!Z_kernelZ_load(&kernel, base)) refuse("the table file is for another kernel");

  long in = base + number(header, "\"line\":", "\"at\":"), out = base + number(header, "\"written\":", "\"at\":");
  while (fgets(line, sizeof line, stdin)) {
    size_t length = strcspn(line, "\n");
    memcpy(memory->data + in, line, length);
    long written = ANSWER(&kernel, length);
    if (written < 0) printf("{\"error\":{\"kind\":\"refused\"}}\n");
    else printf("%.*s\n", (int)written, memory->data + out);
  }
  return 0;
}
