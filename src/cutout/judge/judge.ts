/** The judge's numbers, as `node evals/removal/fit-judge.ts` wrote them. */
import fitted from './judge.json' with { type: 'json' };
import type { LogisticModel } from './logistic.ts';
import type { DisputeModel } from './settle-disputes.ts';

export const disputeModel: DisputeModel = fitted.disputes;

export const confidenceModels = fitted.confidence satisfies Record<string, LogisticModel>;
