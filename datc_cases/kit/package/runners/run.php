<?php
// Asks an engine the questions of the kit and prints its score. PHP 8, nothing else.
//
// php runners/run.php [--answers FILE]... [--part NAME]... [--show] ENGINE [ARGUMENT]...
// The kit is the folder above; for a copy of this file elsewhere the environment variable KIT names it.

define('KIT', getenv('KIT') ?: __DIR__ . '/..');
const ASKED = ['id', 'map', 'season', 'phase', 'units', 'dislodged', 'centers', 'orders'];
const KEYS = ['results', 'dislodged', 'units'];

function stop(string $message): never
{
    fwrite(STDERR, "$message\n");
    exit(2);
}

function read(string $name): string
{
    is_file(KIT . "/$name") || stop("the kit has no $name (its folder is " . KIT . '; the environment variable KIT names another)');
    return file_get_contents(KIT . "/$name");
}

function lines(string $name): array
{
    return array_map(fn($line) => json_decode($line, true), array_filter(explode("\n", read($name))));
}

function some(array $told, array $keys): string
{
    $told = array_intersect_key($told, array_flip($keys));
    return json_encode(array_map(fn($value) => $value === [] ? new stdClass() : $value, $told), JSON_UNESCAPED_SLASHES);
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
$show = false;
while (str_starts_with($words[0] ?? '', '--')) {
    $word = array_shift($words);
    if ($word === '--show') {
        $show = true;
    } elseif (isset($given[$word]) && $words) {
        $given[$word][] = array_shift($words);
    } else {
        stop("there is no option $word: --answers FILE, --part NAME, --show");
    }
}
$words || stop('no engine is named');
$parts = json_decode(read('kit.json'), true)['parts'];
$chosen = $given['--part'] ?: array_keys(array_filter($parts, fn($part) => $part['usual']));
$questions = array_merge(...array_map(fn($name) => lines("questions/$name.jsonl"), $chosen));
$answers = [];
foreach ($given['--answers'] ?: ['answers/datc-3.jsonl'] as $name) { // a later file has the last word
    $answers = array_column(lines($name), null, 'id') + $answers;
}
$asked = tmpfile(); // read by the engine, so that neither waits for the other
foreach ($questions as $question) {
    fwrite($asked, some($question, ASKED) . "\n");
}
rewind($asked);
$engine = @proc_open($words, [$asked, ['pipe', 'w'], STDERR], $pipes) ?: stop("the engine cannot be run: $words[0]");
[$topics, $wrong, $counts, $heard] = [[], [], [], 0];
foreach ($questions as $question) {
    $line = fgets($pipes[1]);
    $heard += $line !== false;
    $answer = json_decode((string) $line, true);
    $answer = is_array($answer) ? $answer : ['error' => 'no answer'];
    $expected = $answers[$question['id']];
    if (($answer['id'] ?? $question['id']) !== $question['id']) {
        stop("$answer[id] was answered where $question[id] was asked");
    }
    $why = !empty($answer['skip']) ? 'skipped' : (!empty($expected['unresolved']) ? 'without an answer in this profile' : '');
    if ($why) {
        $counts[$why] = ($counts[$why] ?? 0) + 1;
        continue;
    }
    $right = same($expected, $answer, $parts[$question['part']]['compared']);
    $topics[$expected['topic'] ?? $question['topic']][] = $right;
    $right || $line === false || $wrong[] = [$question, $expected, trim($line)];
}
$score = 0;
foreach ($topics as $topic => $results) {
    $right = count(array_filter($results));
    $score += $right / count($results) / count($topics);
    printf("%-24s%6d of %6d\n", $topic, $right, count($results));
}
foreach ($wrong as [$question, $expected, $line]) {
    echo "wrong: $question[id]\n";
    if ($show) {
        echo '  asked    ', some($question, ASKED), "\n  expected ", some($expected, KEYS), "\n  answered $line\n";
    }
}
ksort($counts);
foreach ($counts as $what => $count) {
    echo "$what: $count\n";
}
echo 'score: ', floor(round($score, 12) * 1000) / 10, "%\n";
if ($heard < count($questions)) {
    stop("the engine ended after $heard of " . count($questions) . ' answers, with exit status ' . proc_close($engine));
}
exit($wrong || !$topics ? 1 : 0);
