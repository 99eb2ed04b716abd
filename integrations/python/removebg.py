"""The class of PyPI's removebg 0.0.4, answered by your own Packshot service.

Put this file beside your program, or in a folder of PYTHONPATH. Photos go to PACKSHOT_URL and to no other host.
"""

import logging
import os

import requests


class RemoveBg(object):
    def __init__(self, api_key, error_log_file):
        self._api_key = api_key
        logging.basicConfig(filename=error_log_file)

    # `fields`: further fields of the remove.bg API 1.0, such as crop=True.

    def remove_background_from_img_file(self, img_file_path, size="regular", bg_color=None, **fields):
        """Writes the picture beside the photo: photo.jpg_no_bg.png."""
        with open(img_file_path, "rb") as photo:
            files = {"image_file": photo}
            self._save(img_file_path + "_no_bg.png", dict(fields, size=size, bg_color=bg_color), files)

    def remove_background_from_img_url(
        self, img_url, size="regular", new_file_name="no-bg.png", bg_color=None, **fields
    ):
        self._save(new_file_name, dict(fields, image_url=img_url, size=size, bg_color=bg_color))

    def remove_background_from_base64_img(
        self, base64_img, size="regular", new_file_name="no-bg.png", bg_color=None, **fields
    ):
        self._save(new_file_name, dict(fields, image_file_b64=base64_img, size=size, bg_color=bg_color))

    def _save(self, path, fields, files=None):
        base = os.environ.get("PACKSHOT_URL", "http://127.0.0.1:8080").rstrip("/")
        headers = {"X-Api-Key": self._api_key}
        response = requests.post(base + "/v1.0/removebg", data=fields, files=files, headers=headers)
        if not response.ok:
            logging.error("Unable to save %s due to %s", path, response.text)
        response.raise_for_status()
        with open(path, "wb") as picture:
            picture.write(response.content)
