#!/bin/sh
# The curl calls that each service shows in its documentation.
# Usage: BASE_URL=… API_KEY=… client.sh PHOTO FOLDER
set -eu
photo=$1
folder=$2

curl -fsS -H "X-Api-Key: $API_KEY" -F "image_file=@$photo" -F size=auto \
  "$BASE_URL/v1.0/removebg" -o "$folder/removebg.png"
curl -fsS -H "X-Api-Key: $API_KEY" -F "image_file=@$photo" -F size=preview -F bg_color=81d4fa -F format=jpg \
  "$BASE_URL/v1.0/removebg" -o "$folder/color.jpg"
curl -fsS -H "X-Api-Key: $API_KEY" -H 'Accept: application/json' -F "image_file=@$photo" -F crop=true \
  "$BASE_URL/v1.0/removebg" -o "$folder/removebg.json"
curl -fsS -H "X-Api-Key: $API_KEY" "$BASE_URL/v1.0/account" -o "$folder/account.json"
curl -fsS -H "x-api-key: $API_KEY" -F "image_file=@$photo" "$BASE_URL/v1/segment" -o "$folder/segment.png"
curl -fsS -H "X-Api-Key: $API_KEY" -F "file=@$photo" "$BASE_URL/api/remove" -o "$folder/rembg.png"
curl -sS -H "X-Api-Key: $API_KEY" -F size=auto "$BASE_URL/v1.0/removebg" -o "$folder/error.json"
