"""Runs OpenStack Swift with its S3 API in one process, in one folder, for as long as standard input is open.

Takes the folder, the access key (`account:user`) and the secret key. Prints its port once it accepts requests. The
servers are Debian's swift-proxy, -account, -container and -object; in production each runs in its own process.
"""
import logging
import os
import shutil
import sys

import eventlet
import eventlet.wsgi
from swift.common import utils, wsgi
from swift.common.ring import RingBuilder

utils.eventlet_monkey_patch()
eventlet.hubs.use_hub(utils.get_hub())

ROOT, ACCESS_KEY, SECRET = sys.argv[1:4]

SWIFT_CONF = """
[swift-hash]
swift_hash_path_suffix = packshot
[storage-policy:0]
name = gold
default = yes
"""

# The only disk is a plain folder. Updates of a container's listing have a long timeout, because no updater process
# runs that would repeat a failed update later. Tests expect a listing to contain every object, as in real stores.
STORE = """
[DEFAULT]
swift_dir = {root}
devices = {root}/devices
mount_check = false
fallocate_reserve = 0
[pipeline:main]
pipeline = {kind}-server
[app:{kind}-server]
use = egg:swift#{kind}
container_update_timeout = 60
"""

# Listing pages are short, so that tests read several. tempauth needs a cache; one that never responds is enough.
PROXY = """
[DEFAULT]
swift_dir = {root}
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
conn_timeout = 10
node_timeout = 60
[filter:tempauth]
use = egg:swift#tempauth
user_{user} = {secret} .admin
[filter:s3api]
use = egg:swift#s3api
max_bucket_listing = 50
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:listing_formats]
use = egg:swift#listing_formats
"""


def end_with_the_parent():
    """Exits once standard input closes, as it also does if the parent is killed."""
    eventlet.hubs.trampoline(0, read=True)  # The parent never writes, so readable means closed.
    shutil.rmtree(ROOT, ignore_errors=True)
    os._exit(0)


def write(name, text):
    path = os.path.join(ROOT, name)
    with open(path, 'w') as file:
        file.write(text)
    return path


def write_ring(kind, port):
    builder = RingBuilder(1, 1, 0)
    builder.add_dev({
        'id': 0, 'region': 1, 'zone': 1, 'weight': 1, 'device': 'disk', 'meta': '',
        'ip': '127.0.0.1', 'port': port, 'replication_ip': '127.0.0.1', 'replication_port': port,
    })
    builder.rebalance()
    builder.get_ring().save(os.path.join(ROOT, kind + '.ring.gz'))


def serve(socket, conf):
    app = wsgi.loadapp(conf, global_conf={'log_name': os.path.basename(conf)})
    eventlet.spawn(
        eventlet.wsgi.server, socket, app, utils.NullLogger(), protocol=wsgi.SwiftHttpProtocol,
        # S3 clients look for `ETag`, not for `Etag`.
        capitalize_response_headers=False, socket_timeout=60,
    )


os.makedirs(os.path.join(ROOT, 'devices', 'disk'), exist_ok=True)
logging.disable(logging.CRITICAL)
write('swift.conf', SWIFT_CONF)
utils.set_swift_dir(ROOT)
for kind in ('account', 'container', 'object'):
    socket = eventlet.listen(('127.0.0.1', 0))
    write_ring(kind, socket.getsockname()[1])
    serve(socket, write(kind + '.conf', STORE.format(root=ROOT, kind=kind)))
front = eventlet.listen(('127.0.0.1', 0))
user = ACCESS_KEY.replace(':', '_')
serve(front, write('proxy.conf', PROXY.format(root=ROOT, user=user, secret=SECRET)))
print(front.getsockname()[1], flush=True)
end_with_the_parent()
