/** Host names and addresses of this machine itself. */

/** `host` as in a URL or a setting: no port; IPv6 with or without brackets. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
