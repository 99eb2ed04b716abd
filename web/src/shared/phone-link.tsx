/** A QR code that lets a phone in, once, to take photos with its camera. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { encode } from 'uqr';
import { PackshotError } from '../../../clients/typescript/src/packshot-client.ts';
import { FaultNotice } from './fault-notice.tsx';
import { Icon } from './icons.tsx';
import { useTask } from './use-task.ts';
import { t } from './words.ts';

export function PhoneLink({ secret }: { readonly secret: string }): JSX.Element {
  const task = useTask();
  /** Null if the service lets no phones in; undefined without a link that still works. */
  const [link, setLink] = useState<{ readonly url: string; readonly lifeMs: number } | null>();
  useEffect(() => {
    if (!link) return;
    const timer = setTimeout(() => setLink(undefined), link.lifeMs);
    return () => clearTimeout(timer);
  }, [link]);
  const make = () =>
    task.start(async (signal) => {
      const call = { method: 'POST', headers: { 'x-api-key': secret }, signal } as const;
      const response = await fetch('/studio/phone-link', call);
      if (response.status === 204) return setLink(null);
      const answer = await response.json();
      if (!response.ok) throw new PackshotError(answer.code, answer.detail, { status: response.status });
      // This device's clock may be wrong.
      const now = Date.parse(response.headers.get('date') ?? Date());
      setLink({ url: answer.url, lifeMs: Date.parse(answer.lapsesAt) - now });
    });
  return (
    <div class="phone-link">
      {link ? (
        <>
          <QrCode text={link.url} />
          <p class="small phone-url">{link.url}</p>
          <p class="small soft">
            {t('Point the phone’s camera at it. It works once, for ten minutes, in the same network.')}
          </p>
          <button type="button" class="button plain" onClick={make}>
            {t('Make a new link')}
          </button>
        </>
      ) : link === null ? (
        <p class="small soft">
          {t('Start the service with “npm start -- --lan” to let phones in your network in.')}
        </p>
      ) : (
        <button type="button" class="button" onClick={make}>
          <Icon name="camera" /> {t('Take photos with a phone')}
        </button>
      )}
      <FaultNotice error={task.error} />
    </div>
  );
}

function QrCode({ text }: { readonly text: string }): JSX.Element {
  const { data, size } = encode(text, { border: 2 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={t('QR code')}>
      <path d={dark.join('')} />
    </svg>
  );
}
