"""A folder of photos as one batch: python3 batch.py PHOTOS OUTPUT.zip, with PACKSHOT_URL and PACKSHOT_API_KEY set.

Needs requests. Each picture has the name of its photo; manifest.json in the ZIP says what failed, and why.
"""

import hashlib
import json
import os
import pathlib
import sys
import time

import requests

photos, output = pathlib.Path(sys.argv[1]), sys.argv[2]
base = os.environ["PACKSHOT_URL"]
session = requests.Session()
session.headers["X-Api-Key"] = os.environ["PACKSHOT_API_KEY"]

files = sorted(path for path in photos.iterdir() if path.suffix.lower() in {".jpg", ".jpeg", ".png", ".heic"})
items = [{"file": path.name, "recipeId": "Solid1_1_0035", "variant": "1:1"} for path in files]
form = [("batch", (None, json.dumps({"items": items})))]
form += [("files", (path.name, path.read_bytes())) for path in files]
# The key makes it safe to run this again after a broken connection.
sent = hashlib.sha256(b"".join(path.name.encode() + path.read_bytes() for path in files)).hexdigest()
key = {"Idempotency-Key": sent}
answer = session.post(f"{base}/v1/jobs", files=form, headers=key, timeout=300)
answer.raise_for_status()
batch = answer.json()
while batch["status"] not in ("completed", "cancelled"):
    time.sleep(1)
    answer = session.get(f"{base}/v1/jobs/{batch['id']}", timeout=30)
    answer.raise_for_status()
    batch = answer.json()
with session.get(f"{base}/v1/jobs/{batch['id']}/results.zip", stream=True, timeout=300) as pictures:
    pictures.raise_for_status()
    with open(output, "wb") as file:
        for chunk in pictures.iter_content(1 << 20):
            file.write(chunk)
print(f"{batch['counts']['done']} of {batch['counts']['total']} pictures in {output}")
sys.exit(1 if batch["counts"]["failed"] else 0)
