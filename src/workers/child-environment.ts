/** Selects the variables that children inherit: only those they need, because children read untrusted files. */

/** Variables that are read by the system, Node, the image library, ONNX Runtime and GPU drivers. */
const needed =
  /^(PATH|HOME|USER|TMPDIR|LANG|LANGUAGE|TZ|UV_THREADPOOL_SIZE|SSL_CERT_FILE|SSL_CERT_DIR|DISPLAY|SYSTEMROOT|WINDIR|TEMP|TMP|USERPROFILE|APPDATA|LOCALAPPDATA|(LC|LD|DYLD|GLIBC|MALLOC|NODE|V8|VIPS|ORT|ONNXRUNTIME|OMP|OPENBLAS|MKL|CUDA|CUDNN|NVIDIA|TENSORRT|VK|VULKAN|MESA|LIBGL|XDG)_\w+)$/i;

/** Names of secrets, which are never inherited. Some begin like needed names, such as npm's NODE_AUTH_TOKEN. */
const secret = /KEY|SECRET|TOKEN|PASS|CREDENTIAL|AUTH|HEADERS/i;

export function childEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => needed.test(name) && !secret.test(name)),
  );
}
