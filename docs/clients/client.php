<?php
// Plays a year by a satjudge service, from PHP: `php docs/clients/client.php http://127.0.0.1:8780`.

$service = $argv[1] ?? 'http://127.0.0.1:8780';

/** Ask the service, or throw what it says is wrong. */
function ask(string $path, array $question): array
{
    global $service;
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => 'Content-Type: application/json',
        'content' => json_encode($question),
        'ignore_errors' => true,
    ]]);
    $told = json_decode(file_get_contents($service . $path, false, $context), true);
    // A batch answer may have an error of its own beside what was judged; without an answer there is nothing else.
    if (array_keys($told) === ['error']) {
        throw new RuntimeException($told['error']['message']);
    }
    return $told;
}

$phase = [
    'phase' => 'S1901M',
    'units' => ['FRANCE' => ['A PAR', 'A MAR', 'F BRE'], 'GERMANY' => ['A MUN', 'A BER', 'F KIE']],
    'centers' => ['FRANCE' => ['PAR', 'MAR', 'BRE'], 'GERMANY' => ['MUN', 'BER', 'KIE']],
];
$orders = [
    'S1901M' => ['FRANCE' => ['A PAR - BUR', 'A MAR S A PAR - BUR'], 'GERMANY' => ['A MUN - BUR', 'F KIE - HOL']],
    'F1901M' => ['FRANCE' => ['A BUR - BEL'], 'GERMANY' => ['A MUN - RUH']],
    'W1901A' => ['FRANCE' => ['A PAR B'], 'GERMANY' => ['A KIE B']],
];
while (isset($orders[$phase['phase']])) {
    $phase['orders'] = $orders[$phase['phase']];
    $played = ask('/next', $phase);
    foreach ($played['judged']['results'] as $power => $verdicts) {
        foreach ($verdicts as $n => $verdict) {
            echo "{$phase['phase']} $power {$phase['orders'][$power][$n]} -> $verdict\n";
        }
    }
    $phase = $played['next'];
}
sort($phase['units']['FRANCE']);
echo $phase['phase'], ' ', json_encode($phase['units']['FRANCE']), "\n";
try {
    ask('/judge', [...$phase, 'orders' => ['FRANCE' => ['A PAR - BUR']], 'unit' => []]);
} catch (RuntimeException $error) {
    echo 'refused: ', $error->getMessage(), "\n";
}
