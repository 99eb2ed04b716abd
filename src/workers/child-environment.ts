/** What children inherit of the environment: they read strangers' files, so a variable that they do not need is not there. */

/** What the system, Node, the image library, ONNX Runtime and the drivers of GPUs read. */
const needed =
  /^(PATH|HOME|USER|TMPDIR|LANG|LANGUAGE|TZ|UV_THREADPOOL_SIZE|SSL_CERT_FILE|SSL_CERT_DIR|DISPLAY|SYSTEMROOT|WINDIR|TEMP|TMP|USERPROFILE|APPDATA|LOCALAPPDATA|(LC|LD|DYLD|GLIBC|MALLOC|NODE|V8|VIPS|ORT|ONNXRUNTIME|OMP|OPENBLAS|MKL|CUDA|CUDNN|NVIDIA|TENSORRT|VK|VULKAN|MESA|LIBGL|XDG)_\w+)$/i;

/** Some of these prefixes are used for secrets as well, such as npm's NODE_AUTH_TOKEN. */
const secret = /KEY|SECRET|TOKEN|PASS|CREDENTIAL|AUTH|HEADERS/i;

export function childEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => needed.test(name) && !secret.test(name)),
  );
}
