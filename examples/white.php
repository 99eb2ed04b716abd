<?php
// A photo in, the product on white out: php white.php PHOTO OUTPUT.jpg, with PACKSHOT_URL and PACKSHOT_API_KEY set.
// Retries what may succeed later; a failure is an exception with the service's own words.
[, $photo, $output] = $argv;

function packshot(string $path, $body): string
{
    for ($attempt = 1; ; $attempt++) {
        $curl = curl_init(getenv('PACKSHOT_URL') . $path);
        curl_setopt_array($curl, [
            CURLOPT_HTTPHEADER => ['X-Api-Key: ' . getenv('PACKSHOT_API_KEY')],
            CURLOPT_POSTFIELDS => $body,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 300, // a call waits for its turn for up to four minutes, then 60 s for the picture
            CURLOPT_HEADERFUNCTION => function ($curl, string $line) use (&$waitS): int {
                if (preg_match('/^retry-after: (\d+)/i', $line, $found)) $waitS = (int) $found[1];
                return strlen($line);
            },
        ]);
        $waitS = 0;
        $answer = curl_exec($curl);
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        if ($status === 200) return $answer;
        if ($waitS === 0 || $attempt === 4) {
            throw new RuntimeException(json_decode((string) $answer)->detail ?? curl_error($curl));
        }
        sleep($waitS);
    }
}

$design = json_decode(packshot('/v1/design/image-upload', ['file' => new CURLFile($photo)]));
file_put_contents($output, packshot('/v1/design/generated.jpeg', json_encode([
    'id' => $design->id, 'recipeId' => 'Listing_amazon_main', 'variant' => '1:1',
])));
