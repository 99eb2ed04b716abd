"""Both flows with Python's own library: upload, suggest, preview, full version; upload, known recipe.

Usage: BASE_URL=… API_KEY=… client.py PHOTO FOLDER
"""

import json
import os
import sys
import urllib.request
import uuid

base_url, api_key = os.environ["BASE_URL"], os.environ["API_KEY"]
photo, folder = sys.argv[1:]


def post(path, body, content_type=None):
    request = urllib.request.Request(base_url + path, data=body, method="POST")
    request.add_header("X-Api-Key", api_key)
    if content_type:
        request.add_header("Content-Type", content_type)
    with urllib.request.urlopen(request) as response:
        return response.read()


def post_json(path, **body):
    return post(path, json.dumps(body).encode())


def upload():
    boundary = uuid.uuid4().hex
    with open(photo, "rb") as file:
        body = (
            f"--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"photo.jpg\"\r\n"
            "Content-Type: image/jpeg\r\n\r\n"
        ).encode() + file.read() + f"\r\n--{boundary}--\r\n".encode()
    answer = post("/v1/design/image-upload", body, f"multipart/form-data; boundary={boundary}")
    return json.loads(answer)["id"]


def save(name, picture):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(picture)


design = upload()
# Fields that are not set are sent as null.
answer = post_json("/v1/design/suggest", id=design, recipePreset="AI_STUDIO", prompt=None, filters=None)
recipe = json.loads(answer)["suggestedRecipeLists"][0]["recipes"][0]
save("preview.webp", post_json("/v1/design/preview.webp", id=design, **recipe))
save("full.jpeg", post_json("/v1/design/generated.jpeg", id=design, **recipe))

design = upload()
known = {"recipeId": "Solid1_1_0035", "variant": "1:1", "mutations": None}
save("white-preview.webp", post_json("/v1/design/preview.webp", id=design, **known))
save("white.jpeg", post_json("/v1/design/generated.jpeg", id=design, **known))
