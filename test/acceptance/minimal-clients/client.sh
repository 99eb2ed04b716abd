#!/bin/sh
# Both flows with curl and nothing of Packshot's own: upload, suggest, preview, full version; upload, known recipe.
# Usage: BASE_URL=… API_KEY=… client.sh PHOTO FOLDER
set -eu
photo=$1 folder=$2
call() { curl --fail-with-body -sS -H "X-Api-Key: $API_KEY" "$@"; }
read_json() { node -p "const answer = JSON.parse(require('node:fs').readFileSync(0, 'utf8')); $1"; }

id=$(call "$BASE_URL/v1/design/image-upload" -F "file=@$photo" | read_json 'answer.id')
body=$(call "$BASE_URL/v1/design/suggest" -d "{\"id\":\"$id\",\"recipePreset\":\"AI_STUDIO\",\"prompt\":\"wooden table\",\"filters\":{\"aspectRatio\":\"1:1\"}}" |
  read_json "JSON.stringify({ id: '$id', ...answer.suggestedRecipeLists[0].recipes[0] })")
call "$BASE_URL/v1/design/preview.webp" -d "$body" -o "$folder/preview.webp"
call "$BASE_URL/v1/design/generated.jpeg" -d "$body" -o "$folder/full.jpeg"

id=$(call "$BASE_URL/v1/design/image-upload" -F "file=@$photo" | read_json 'answer.id')
body="{\"id\":\"$id\",\"recipeId\":\"Solid1_1_0035\",\"variant\":\"1:1\"}"
call "$BASE_URL/v1/design/preview.webp" -d "$body" -o "$folder/white-preview.webp"
call "$BASE_URL/v1/design/generated.jpeg" -d "$body" -o "$folder/white.jpeg"
