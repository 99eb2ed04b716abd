<?php
// PHP's own curl. Usage: BASE_URL=… API_KEY=… client.php PHOTO FOLDER
[, $photo, $folder] = $argv;
$baseUrl = getenv('BASE_URL');
$apiKey = getenv('API_KEY');

function call(string $path, $body = null, array $headers = []): string
{
    global $baseUrl, $apiKey;
    $curl = curl_init($baseUrl . $path);
    curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
    curl_setopt($curl, CURLOPT_HTTPHEADER, array_merge(["X-Api-Key: $apiKey"], $headers));
    if ($body !== null) {
        curl_setopt($curl, CURLOPT_POST, true);
        curl_setopt($curl, CURLOPT_POSTFIELDS, $body);
    }
    return curl_exec($curl);
}

$file = new CURLFile($photo);
$encoded = base64_encode(file_get_contents($photo));
$save = fn (string $name, string $content) => file_put_contents("$folder/$name", $content);

// PHP's curl sends an array as multipart/form-data, and a string as application/x-www-form-urlencoded.
$save('removebg.png', call('/v1.0/removebg', ['image_file' => $file, 'size' => 'auto']));
$fields = ['image_file_b64' => $encoded, 'size' => 'preview', 'bg_color' => '81d4fa', 'format' => 'jpg'];
$save('color.jpg', call('/v1.0/removebg', http_build_query($fields)));
$json = json_encode(['image_file_b64' => chunk_split($encoded), 'crop' => true]);
$save('removebg.json', call('/v1.0/removebg', $json, ['Content-Type: application/json', 'Accept: application/json']));
$save('account.json', call(str_replace('/removebg', '/account', '/v1.0/removebg')));
$save('segment.png', call('/v1/segment', ['image_file' => $file]));
$save('rembg.png', call('/api/remove', ['file' => $file]));
$save('error.json', call('/v1.0/removebg', ['size' => 'auto']));
