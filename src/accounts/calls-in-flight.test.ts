import { describe, expect, it } from 'vitest';
import { CallsInFlight } from './calls-in-flight.ts';

describe('calls in flight', () => {
  it('are admitted up to the limit, and again once a call has ended', () => {
    const calls = new CallsInFlight(2);
    expect([calls.enter('a'), calls.enter('a'), calls.enter('a')]).toEqual([true, true, false]);
    calls.leave('a');
    expect([calls.enter('a'), calls.enter('a')]).toEqual([true, false]);
  });

  it('are counted per key', () => {
    const calls = new CallsInFlight(1);
    expect([calls.enter('a'), calls.enter('b')]).toEqual([true, true]);
  });

  it('never count below zero', () => {
    const calls = new CallsInFlight(1);
    calls.leave('a');
    expect([calls.enter('a'), calls.enter('a')]).toEqual([true, false]);
  });
});
