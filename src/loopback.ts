/** Names and addresses that only this machine itself can reach. */

/** Of a host as a URL or a setting has it: no port; IPv6 with or without brackets. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
