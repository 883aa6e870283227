<?php
// Asks an engine the questions of the kit and prints its score. PHP 8, nothing else.
//
// php runners/run.php [--answers FILE]... [--part NAME]... ENGINE [ARGUMENT]...

const KIT = __DIR__ . '/..';
const ASKED = ['id', 'map', 'season', 'phase', 'units', 'dislodged', 'centers', 'orders'];

function lines(string $name): array
{
    return array_map(fn($line) => json_decode($line, true), file(KIT . "/$name", FILE_IGNORE_NEW_LINES));
}

/** Neither the order of units nor powers without units matter: lists are sorted, and what is empty is left out. */
function plain(array $told, int $depth): array
{
    if ($depth === 0) {
        $told = array_values(array_unique($told));
        sort($told);
        return $told;
    }
    ksort($told);
    $plain = array_map(fn($of) => plain($of, $depth - 1), $told);
    return $depth === 1 ? $plain : array_filter($plain);
}

function same(array $expected, array $answer, array $keys): bool
{
    if (isset($answer['error']) || !isset($answer['units'])) {
        return false;
    }
    foreach (['units' => 1, 'dislodged' => 2] as $key => $depth) {
        if (in_array($key, $keys) && isset($answer[$key])) {
            [$ours, $theirs] = [plain($expected[$key] ?? [], $depth), plain($answer[$key], $depth)];
            if (array_filter($ours) != array_filter($theirs)) {
                return false;
            }
        }
    }
    $theirs = $answer['results'] ?? [];
    foreach (in_array('results', $keys) && $theirs ? $expected['results'] ?? [] : [] as $power => $words) {
        foreach ($words as $number => $word) {
            if (count($theirs[$power] ?? []) !== count($words) || !in_array($theirs[$power][$number], ['', $word], true)) {
                return false;
            }
        }
    }
    return true;
}

$given = ['--answers' => [], '--part' => []];
$words = array_slice($argv, 1);
while (isset($given[$words[0] ?? ''])) {
    $given[array_shift($words)][] = array_shift($words);
}
$parts = json_decode(file_get_contents(KIT . '/kit.json'), true)['parts'];
$chosen = $given['--part'] ?: array_keys(array_filter($parts, fn($part) => $part['usual']));
$questions = array_merge(...array_map(fn($name) => lines("questions/$name.jsonl"), $chosen));
$answers = [];
foreach ($given['--answers'] ?: ['answers/datc-3.jsonl'] as $name) { // a later file has the last word
    $answers = array_column(lines($name), null, 'id') + $answers;
}
$asked = tmpfile(); // read by the engine, so that neither waits for the other
foreach ($questions as $question) {
    $line = array_intersect_key($question, array_flip(ASKED));
    fwrite($asked, json_encode(array_map(fn($value) => $value === [] ? new stdClass() : $value, $line)) . "\n");
}
rewind($asked);
$engine = proc_open($words, [$asked, ['pipe', 'w'], STDERR], $pipes);
[$topics, $wrong] = [[], []];
foreach ($questions as $question) {
    $answer = json_decode((string) fgets($pipes[1]), true);
    $answer = is_array($answer) ? $answer : ['error' => 'no answer'];
    $expected = $answers[$question['id']];
    if (!empty($answer['skip']) || !empty($expected['unresolved'])) {
        continue;
    }
    $right = same($expected, $answer, $parts[$question['part']]['compared']);
    $topics[$expected['topic'] ?? $question['topic']][] = $right;
    $right || $wrong[] = $question['id'];
}
$score = 0;
foreach ($topics as $topic => $results) {
    $right = count(array_filter($results));
    $score += $right / count($results) / count($topics);
    printf("%-24s%6d of %6d\n", $topic, $right, count($results));
}
foreach ($wrong as $name) {
    echo "wrong: $name\n";
}
echo 'score: ', floor(round($score, 12) * 1000) / 10, "%\n";
exit($wrong || !$topics ? 1 : 0);
