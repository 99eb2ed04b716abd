"""Python's own library, with forms, a URL-encoded body and JSON.

Usage: BASE_URL=… API_KEY=… client.py PHOTO FOLDER
"""

import base64
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request
import uuid

base_url, api_key = os.environ["BASE_URL"], os.environ["API_KEY"]
photo, folder = sys.argv[1:]
with open(photo, "rb") as file:
    picture = file.read()


def call(path, body=None, **headers):
    request = urllib.request.Request(base_url + path, data=body)
    request.add_header("X-Api-Key", api_key)
    for name, value in headers.items():
        request.add_header(name.replace("_", "-"), value)
    with urllib.request.urlopen(request) as response:
        return response.read()


def form(file_field, **fields):
    boundary = uuid.uuid4().hex
    body = b""
    for name, value in fields.items():
        body += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
    body += f'--{boundary}\r\nContent-Disposition: form-data; name="{file_field}"; filename="photo.jpg"\r\n\r\n'.encode()
    body += picture + f"\r\n--{boundary}--\r\n".encode()
    return {"body": body, "Content_Type": f"multipart/form-data; boundary={boundary}"}


def save(name, content):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(content)


save("removebg.png", call("/v1.0/removebg", **form("image_file", size="auto", roi="0 0 100% 100%")))
text = urllib.parse.urlencode(
    {
        "image_file_b64": base64.b64encode(picture).decode(),
        "size": "preview",
        "bg_color": "81d4fa",
        "format": "jpg",
    }
)
save("color.jpg", call("/v1.0/removebg", text.encode()))
wanted = {"image_file_b64": base64.encodebytes(picture).decode(), "crop": True, "bg_color": None}
save(
    "removebg.json",
    call("/v1.0/removebg", json.dumps(wanted).encode(), Content_Type="application/json", Accept="application/json"),
)
save("account.json", call("/v1.0/account"))
save("segment.png", call("/v1/segment", **form("image_file")))
save("rembg.png", call("/api/remove", **form("file", model="u2net")))
try:
    call("/v1.0/removebg", b"{}", Content_Type="application/json")
except urllib.error.HTTPError as error:
    save("error.json", error.read())
