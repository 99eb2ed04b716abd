/** Results of the checks of `packshot doctor`. */

export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly detail: string;
  /** What the operator can do about the problem. */
  readonly remedy?: string;
}

export type Verdict = Omit<Finding, 'check'>;

export const ok = (detail: string): Verdict => ({ state: 'ok', detail });
export const warning = (detail: string, remedy: string): Verdict => ({ state: 'warning', detail, remedy });
export const problem = (detail: string, remedy: string): Verdict => ({ state: 'problem', detail, remedy });

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
