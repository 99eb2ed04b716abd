import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newWebhookSecret, signMessage } from './sign-message.ts';

describe('a signed message', () => {
  it("carries the signature of the specification's example", () => {
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestampS: 1_614_265_330,
      body: '{"test": 2432232314}',
    };
    expect(signMessage(message, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('is verified by a receiver with either of two secrets, and by no other', () => {
    const [older, newer, strange] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
    const body = JSON.stringify({ type: 'design.ready', name: 'Täßchen ☕' });
    const message = { id: 'msg_1', timestampS: Math.floor(Date.now() / 1000), body };
    const headers = signMessage(message, [newer, older]);
    for (const secret of [older, newer])
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(strange).verify(body, headers)).toThrow('No matching signature');
    expect(() => new Webhook(newer).verify(`${body} `, headers)).toThrow('No matching signature');
  });
});
