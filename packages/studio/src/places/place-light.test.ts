import { describe, expect, it } from 'vitest';
import { luminanceOf } from '../../../pixels/src/srgb.ts';
import { type Panorama, solidAngleOf } from './panorama.ts';
import { openPlace } from './place-light.ts';
import { placeNames, placeSettings } from './place-names.ts';
import { balanceLight, openPlaceLight } from './place-sky.ts';
import { eraseSpot, readPanorama, repairPanorama } from './read-panorama.ts';
import { measureUpward, takeLightOut } from './take-light-out.ts';

const gray = (width: number, height: number, value = 0.5): Panorama => ({
  width,
  height,
  data: new Float32Array(width * height * 3).fill(value),
});

function measurePower(panorama: Panorama, channel: number): number {
  let power = 0;
  for (let row = 0; row < panorama.height; row++) {
    for (let column = 0; column < panorama.width; column++) {
      const at = (row * panorama.width + column) * 3 + channel;
      power += panorama.data[at]! * solidAngleOf(panorama, row);
    }
  }
  return power;
}

describe('reading a panorama', () => {
  it.each(placeNames)('gives every pixel of %s a finite radiance', async (name) => {
    const { width, height, data } = await readPanorama(name);
    expect([width, height]).toEqual([512, 256]);
    expect(data.every((value) => value >= 0 && Number.isFinite(value))).toBe(true);
    // The upper half, with the sky or a lit ceiling, is brighter than the area straight below the camera.
    const mean = (from: number, to: number): number => {
      let sum = 0;
      for (let at = from * width * 3; at < to * width * 3; at += 3) sum += luminanceOf(data, at);
      return sum / ((to - from) * width);
    };
    expect(mean(0, height / 2)).toBeGreaterThan(mean((height * 7) / 8, height));
  });

  it('repairs negative values, NaN, and a channel that overflowed', () => {
    const broken = gray(64, 32);
    broken.data.set([-3, 0.2, Number.NaN], 30 * 3);
    broken.data.set([12, 10, 9000], 700 * 3);
    const { data } = repairPanorama(broken);
    expect([...data.subarray(90, 93)]).toEqual([0, expect.closeTo(0.2), 0]);
    expect([...data.subarray(2100, 2103)]).toEqual([12, 10, 12]);
  });
});

describe('painting over a spot in the sky', () => {
  it('continues the sky beside the spot, and leaves all else as it is', () => {
    const clear = gray(64, 32);
    const spotted = gray(64, 32);
    // The pixel at longitude 3° and latitude 14°.
    spotted.data.fill(9, (13 * 64 + 32) * 3, (13 * 64 + 33) * 3);
    const spot = { longitudeDeg: 3, widthDeg: 24, latitudesDeg: [5, 25] } as const;
    expect(eraseSpot(spotted, spot)).toEqual(clear);
    expect(eraseSpot(spotted, { ...spot, longitudeDeg: 90 })).toEqual(spotted);
  });

  it('leaves no lamp or mast in a clear sky', async () => {
    for (const name of ['dawn', 'park'] as const) {
      const { soft } = await openPlace(name);
      const { longitudeDeg, latitudesDeg } = placeSettings[name].spot!;
      const column = Math.round((longitudeDeg / 360 + 0.5) * soft.width);
      for (let latitude = latitudesDeg[0] + 1; latitude < latitudesDeg[1]; latitude++) {
        const row = Math.round((0.5 - latitude / 180) * soft.height);
        const at = (row * soft.width + column) * 3;
        const beside = luminanceOf(soft.data, at - 18);
        expect(Math.abs(luminanceOf(soft.data, at) / beside - 1)).toBeLessThan(0.1);
      }
    }
  });
});

describe('taking the strongest light out of a panorama', () => {
  it('keeps the sum of all light', async () => {
    for (const name of placeNames.filter((place) => placeSettings[place].sun === undefined)) {
      const panorama = await readPanorama(name);
      const { soft, lamp } = takeLightOut(panorama);
      for (const c of [0, 1, 2]) {
        const sum = measurePower(soft, c) + Math.PI * lamp.radiance[c]!;
        expect(sum / measurePower(panorama, c)).toBeCloseTo(1, 3);
      }
    }
  });

  it('finds position, size and light of a lamp', () => {
    const panorama = gray(512, 256);
    // 5 by 5 pixels around longitude 90 degrees, 45 degrees above the horizon.
    for (let row = 62; row < 67; row++) {
      for (let column = 382; column < 387; column++)
        panorama.data.fill(100, (row * 512 + column) * 3, (row * 512 + column) * 3 + 3);
    }
    const { lamp, soft } = takeLightOut(panorama);
    expect(lamp.longitudeDeg).toBeCloseTo(90.35, 0);
    expect(lamp.latitudeDeg).toBeCloseTo(44.6, 0);
    const angle = 25 * solidAngleOf(panorama, 64);
    expect(lamp.radiance[1]).toBeCloseTo((99.5 * angle) / Math.PI, 3);
    expect(lamp.radiusDeg).toBeCloseTo((Math.sqrt(angle / Math.PI) * 180) / Math.PI, 1);
    expect(soft.data.every((value) => value === 0.5)).toBe(true);
  });

  it('restores a clipped sun in proportion to the light of the sky', async () => {
    const { sun } = placeSettings.park;
    const { lamp, soft } = takeLightOut(await readPanorama('park'), sun);
    expect(luminanceOf(lamp.radiance, 0) / luminanceOf(measureUpward(soft), 0)).toBeCloseTo(sun!.share!, 5);
  });
});

describe('a place', () => {
  it.each(['forest', 'workshop'] as const)('yields all light of %s when it is sampled', async (name) => {
    const light = { ...(await openPlace(name)), fill: [1, 1, 1] as const };
    const setting = { name, headingDeg: 40 };
    const { environment } = openPlaceLight({ light, setting });
    const direction = new Float64Array(3);
    const radiance = new Float64Array(3);
    const sum = [0, 0, 0];
    const draws = 200_000;
    for (let i = 0; i < draws; i++) {
      environment.draw((i + 0.5) / draws, direction, radiance);
      expect(Math.hypot(...direction)).toBeCloseTo(1, 6);
      const up = Math.max(0, direction[1]!) / Math.PI;
      for (const c of [0, 1, 2]) sum[c] = sum[c]! + (up * radiance[c]!) / draws;
    }
    for (const c of [0, 1, 2]) expect(sum[c]! / light.sky[c]!).toBeCloseTo(1, 1);
  });

  it('lights the set with paler colors than it shows', async () => {
    const { soft, sky } = await openPlace('workshop');
    const chromaOf = (color: ArrayLike<number>) => {
      const [most, least] = [
        Math.max(color[0]!, color[1]!, color[2]!),
        Math.min(color[0]!, color[1]!, color[2]!),
      ];
      return (most - least) / luminanceOf(color, 0);
    };
    const seen = measureUpward(soft);
    expect(chromaOf(sky)).toBeLessThan(0.5 * chromaOf(seen));
    expect(luminanceOf(sky, 0)).toBeCloseTo(luminanceOf(seen, 0), 6);
  });

  it('is read from its file only once', async () => {
    expect(await openPlace('city')).toBe(await openPlace('city'));
  });
});

describe('a key light in a place', () => {
  it.each(placeNames)('leaves shadows in %s without a color cast', async (name) => {
    const place = await openPlace(name);
    const key = { az: 60, el: 30, angularRadius: 2, color: [1, 1, 1], intensity: 1.5 } as const;
    const balanced = balanceLight(place, key);
    const shade = place.sky.map((channel, c) => channel * balanced.light.fill[c]!);
    const lit = shade.map((channel, c) => channel + 0.5 * balanced.key.color[c]!);
    expect(luminanceOf(lit, 0) / place.card).toBeCloseTo(1, 6);
    const cast = shade[0]! / shade[2]! / (lit[0]! / lit[2]!);
    expect(cast).toBeGreaterThan(0.8);
    expect(cast).toBeLessThan(1.25);
  });
});

describe('a mirrored place', () => {
  it('has on its right the light from the left of the original', async () => {
    const name = 'apartment';
    const light = balanceLight(await openPlace(name), {
      az: 0,
      el: 40,
      angularRadius: 2,
      color: [1, 1, 1],
      intensity: 1,
    }).light;
    const plain = openPlaceLight({ light, setting: { name, headingDeg: -38 } });
    const mirrored = openPlaceLight({ light, setting: { name, headingDeg: -38, isMirrored: true } });
    const radiance = (sky: typeof plain.sky, x: number) => {
      const out = new Float64Array(3);
      sky.add(x, 0.3, -0.4, Float64Array.of(1, 1, 1), out);
      return out;
    };
    expect(radiance(mirrored.sky, 0.8)).toEqual(radiance(plain.sky, -0.8));
    expect(radiance(mirrored.sky, 0.8)).not.toEqual(radiance(plain.sky, 0.8));
    const drawn = [plain, mirrored].map(({ environment }) => {
      const direction = new Float64Array(3);
      environment.draw(0.37, direction, new Float64Array(3));
      return direction;
    });
    expect(drawn[1]![0]).toBeCloseTo(-drawn[0]![0]!, 9);
    expect(drawn[1]!.slice(1)).toEqual(drawn[0]!.slice(1));
  });
});
