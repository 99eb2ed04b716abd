/** What a photo shows, and what this means for its cutout: advice, and how far the cutout can be trusted. */
import type { PhotoKind, PhotoKindName, SubjectFacts, SubjectIssue } from 'packshot-cutout/service';

/** Photos that a cutout ruins, in the words of the advice. */
const ruined: Partial<Record<PhotoKindName, string>> = {
  close_up: 'a close-up that fills the frame',
  graphic: 'a graphic',
};

export const isRuined = (name: PhotoKindName): boolean => name in ruined;

/** More advice than this is not read. */
const MOST_ISSUES = 2;

/** `isChecked`: a person has corrected the cutout, and so has decided that there is one. */
export function withKind(
  subject: SubjectFacts,
  kind: PhotoKind | undefined,
  isChecked = false,
): SubjectFacts {
  if (kind === undefined) return subject;
  const words = isChecked ? undefined : ruined[kind.name];
  if (words === undefined) {
    const isNormal = ({ code }: SubjectIssue) => kind.name === 'worn' && code === 'touches_frame';
    const issues = subject.issues.filter((issue) => !isNormal(issue)).slice(0, MOST_ISSUES);
    return { ...subject, kind, issues };
  }
  const advice: SubjectIssue = {
    code: 'better_uncut',
    detail: `The photo seems to show ${words}. Leave it as it is: \`cutout: none\`.`,
  };
  const others = subject.issues.filter(({ code }) => code === 'low_resolution');
  const confidence = Math.min(subject.confidence, 1 - kind.probability);
  return { ...subject, kind, confidence, issues: [advice, ...others] };
}
