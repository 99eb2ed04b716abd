/** The WordPress plugin in a real WordPress, against a real service. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Service, startOwnService, testKey } from '../acceptance/service.ts';
import { launchBrowser, needsChromium } from '../browser/browser.ts';
import { admin, needsWordPress, openSite, type Site } from './wordpress-site.ts';

const skip = needsWordPress || needsChromium;

describe.skipIf(skip !== '')(`the WordPress plugin${skip}`, () => {
  let site: Site;
  let service: Service;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [site, service, browser] = await Promise.all([openSite(), startOwnService(), launchBrowser()]);
    page = await browser.newPage();
    await page.goto(`${site.url}/wp-login.php`);
    await page.fill('#user_login', admin.user);
    await page.fill('#user_pass', admin.password);
    await page.click('#wp-submit');
    await page.waitForURL('**/wp-admin/**');
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.stop(), site?.stop()]);
  });

  const addPhoto = async (name: string): Promise<number> => {
    const source = join(import.meta.dirname, '../../samples', name);
    const id = await site.php(`$copy = wp_tempnam( '${name}' ); copy( '${source}', $copy );
      $id = media_handle_sideload( array( 'name' => '${name}', 'tmp_name' => $copy ), 0 );
      if ( is_wp_error( $id ) ) { throw new Exception( $id->get_error_message() ); }
      update_post_meta( $id, '_wp_attachment_image_alt', 'alt of ${name}' ); echo $id;`);
    return Number(id);
  };
  const fileOf = async (id: number) => (await site.php(`echo get_attached_file( ${id} );`)).trim();
  /** Works as WP-Cron does, until the photo was tried. WP-Cron itself may be at work, and then holds the lock. */
  const work = async (id: number) => {
    const isTried = `echo 'waiting' !== get_post_meta( ${id}, '_packshot_state', true )
      || '' !== get_post_meta( ${id}, '_packshot_reason', true ) ? 'tried' : '';`;
    while ((await site.php(`do_action( 'packshot_work' ); ${isTried}`)) !== 'tried') await setTimeout(200);
  };
  const settings = (changes: Record<string, unknown>) =>
    site.php(`update_option( 'packshot', array_merge( Packshot_Settings::all(),
      json_decode( '${JSON.stringify(changes)}', true ) ) );`);
  const openList = () => page.goto(`${site.url}/wp-admin/upload.php?mode=list`);
  const act = async (ids: readonly number[], action: string) => {
    await openList();
    for (const id of ids) await page.check(`#cb-select-${id}`);
    await page.selectOption('#bulk-action-selector-top', action);
    await page.click('#doaction');
  };
  const choose = async (ids: readonly number[], action: string) => {
    await act(ids, action);
    await page.waitForSelector('#packshot-progress');
  };
  const stateOf = (id: number) => page.textContent(`#post-${id} .column-packshot`);

  it('is activated on the page of plugins, and leads to its settings', async () => {
    await page.goto(`${site.url}/wp-admin/plugins.php`);
    await page.click(
      'tr[data-slug="packshot"] .activate a, tr[data-plugin="packshot/packshot.php"] .activate a',
    );
    await page.click('tr[data-plugin="packshot/packshot.php"] a[href*="page=packshot"]');
    // Until the page is loaded, its script does not hear the button.
    await page.waitForURL('**page=packshot**');
    await page.fill('#packshot-url', service.url);
    await page.fill('#packshot-key', 'not-the-key-of-this-service');
    await page.click('#packshot-test');
    await page.getByText('This is not a valid key').waitFor();
    await page.fill('#packshot-key', testKey);
    await page.click('#packshot-test');
    await page.getByText('The server answers, and the key is valid.').waitFor();
    expect(await page.locator('#packshot-recipe option').count()).toBeGreaterThan(500);
    await page.selectOption('#packshot-recipe', 'Solid1_1_0035');
    await page.selectOption('#packshot-marketplace', 'amazon');
    await page.click('#submit');
    await page.getByText('Settings saved.').waitFor();
    expect(await page.inputValue('#packshot-key')).toBe('');
    expect(JSON.parse(await site.php("echo wp_json_encode( get_option( 'packshot' ) );"))).toMatchObject({
      url: service.url,
      key: testKey,
      recipe: 'Solid1_1_0035',
      marketplace: 'amazon',
    });
  });

  it('makes pictures in bulk, keeps ID, title, alt text and original, and shows the verdict', async () => {
    const ids = [];
    for (const name of ['mug-white.jpg', 'console-white.jpg', 'chair-white.jpg'])
      ids.push(await addPhoto(name));
    const [first] = ids as [number];
    const before = await fileOf(first);
    const photo = await readFile(before);
    await choose(ids, 'packshot_make');
    await page.getByText('Packshot: done').waitFor({ timeout: 120_000 });
    await openList();
    for (const id of ids) expect(await stateOf(id)).toMatch(/^\s*Made\s*Amazon: (passes|fails|please look)/);
    const after = await fileOf(first);
    expect(after).toBe(before.replace('.jpg', '-packshot.jpg'));
    expect(await readFile(before)).toEqual(photo);
    const shown = JSON.parse(
      await site.php(`echo wp_json_encode( array( wp_get_attachment_metadata( ${first} ),
        get_post_meta( ${first}, '_wp_attachment_image_alt', true ), wp_get_attachment_url( ${first} ) ) );`),
    );
    expect(shown[0]).toMatchObject({ width: 2000, height: 2000 });
    expect(Object.keys(shown[0].sizes)).toContain('thumbnail');
    expect(shown[1]).toBe('alt of mug-white.jpg');
    const picture = await page.request.get(shown[2]);
    expect(picture.headers()['content-type']).toBe('image/jpeg');
  });

  it('keeps the background if asked', async () => {
    const id = await addPhoto('chair-room.jpg');
    await choose([id], 'packshot_keep');
    await page.getByText('Packshot: done').waitFor({ timeout: 120_000 });
    const { dominant } = await sharp(await fileOf(id))
      .extract({ left: 0, top: 0, width: 300, height: 300 })
      .stats();
    // The recipe's own background is white.
    expect(Math.min(dominant.r, dominant.g, dominant.b)).toBeLessThan(230);
    await act([id], 'packshot_undo');
    await vi.waitUntil(async () => (await fileOf(id)).endsWith('/chair-room.jpg'), {
      timeout: 30_000,
      interval: 500,
    });
  });

  it('brings the original back from the screen of the attachment, and deletes what it made', async () => {
    const id = await addPhoto('mug-white.jpg');
    const before = await fileOf(id);
    await site.php(`Packshot_Queue::add( ${id}, false );`);
    await work(id);
    const made = await fileOf(id);
    expect(made).not.toBe(before);
    await page.goto(`${site.url}/wp-admin/post.php?post=${id}&action=edit`);
    await page.getByRole('link', { name: 'Bring original back' }).click();
    await page.waitForLoadState();
    expect(await fileOf(id)).toBe(before);
    await expect(readFile(made)).rejects.toThrow('ENOENT');
    expect(await page.getByRole('link', { name: 'Bring original back' }).count()).toBe(0);
  });

  it('keeps the original while the service is down, says so, and makes the picture later', async () => {
    const id = await addPhoto('console-white.jpg');
    const before = await fileOf(id);
    await settings({ url: 'http://127.0.0.1:9' });
    await site.php(`Packshot_Queue::add( ${id}, false );`);
    await work(id);
    expect(await fileOf(id)).toBe(before);
    await openList();
    expect(await stateOf(id)).toMatch(/Waiting\s*The Packshot server does not answer/);
    await settings({ url: service.url });
    await site.php(`delete_post_meta( ${id}, '_packshot_reason' );`);
    await work(id);
    expect(await fileOf(id)).toBe(before.replace('.jpg', '-packshot.jpg'));
  });

  it('leaves a photo without a product as it is, and says why', async () => {
    const id = Number(
      await site.php(`$file = wp_upload_dir()['path'] . '/gray.png'; $picture = imagecreatetruecolor( 400, 300 );
        imagefilledrectangle( $picture, 0, 0, 400, 300, 0x999999 ); imagepng( $picture, $file );
        echo wp_insert_attachment( array( 'post_mime_type' => 'image/png', 'post_title' => 'gray' ), $file );`),
    );
    await site.php(`Packshot_Queue::add( ${id}, false );`);
    await work(id);
    await openList();
    expect(await stateOf(id)).toMatch(/Not made; the original is unchanged\.\s*\S+/);
  });

  it('makes the pictures of products only if asked, and each only once', async () => {
    await site.php("register_post_type( 'product' );");
    const [main, extra] = [await addPhoto('mug-white.jpg'), await addPhoto('console-white.jpg')];
    const addProduct = `register_post_type( 'product' );
      $product = wp_insert_post( array( 'post_type' => 'product', 'post_title' => 'Mug', 'post_status' => 'publish' ) );
      set_post_thumbnail( $product, ${main} ); update_post_meta( $product, '_product_image_gallery', '${extra},${main}' );`;
    await site.php(addProduct);
    const waiting = 'echo Packshot_Queue::count_waiting();';
    expect(await site.php(waiting)).toBe('0');
    await settings({ products: true });
    await site.php(addProduct);
    expect(await site.php(waiting)).toBe('2');
    await work(main);
    await work(extra);
    await site.php(addProduct);
    expect(await site.php(waiting)).toBe('0');
    await settings({ products: false });
  });

  it('lets nobody act without the nonce, or without the right to edit', async () => {
    const id = await addPhoto('mug-white.jpg');
    const bare = `${site.url}/wp-admin/admin-post.php?action=packshot&do=make&attachment=${id}`;
    expect((await page.request.get(bare)).status()).toBe(403);
    const test = await page.request.post(`${site.url}/wp-admin/admin-ajax.php`, {
      form: { action: 'packshot_test' },
    });
    expect(test.status()).toBe(403);
    await site.php(
      `wp_insert_user( array( 'user_login' => 'reader', 'user_pass' => '${admin.password}', 'role' => 'subscriber' ) );`,
    );
    const reader = await browser.newContext();
    const theirs = await reader.newPage();
    await theirs.goto(`${site.url}/wp-login.php`);
    await theirs.fill('#user_login', 'reader');
    await theirs.fill('#user_pass', admin.password);
    await theirs.click('#wp-submit');
    await theirs.waitForURL('**/wp-admin/**');
    expect((await theirs.request.get(bare)).status()).toBe(403);
    expect(
      (await theirs.request.get(`${site.url}/wp-admin/options-general.php?page=packshot`)).status(),
    ).toBe(403);
    await reader.close();
    expect(await site.php('echo Packshot_Queue::count_waiting();')).toBe('0');
  });

  it('writes no warning of PHP', async () => {
    const log = await readFile(join(site.uploads, '../debug.log'), 'utf8').catch(() => '');
    expect(log.split('\n').filter((line) => line.includes('integrations/wordpress'))).toEqual([]);
  });

  it('leaves nothing behind when it is uninstalled', async () => {
    // As WordPress does when the plugin is deleted, except that the linked folder stays.
    await site.php(
      `deactivate_plugins( 'packshot/packshot.php' ); uninstall_plugin( 'packshot/packshot.php' );`,
    );
    const left = await site.php(`global $wpdb;
      echo $wpdb->get_var( "SELECT COUNT(*) FROM $wpdb->options WHERE option_name LIKE '%packshot%'" )
        + $wpdb->get_var( "SELECT COUNT(*) FROM $wpdb->postmeta WHERE meta_key LIKE '%packshot%'" )
        + count( array_filter( _get_cron_array(), fn( $hooks ) => isset( $hooks['packshot_work'] ) ) );`);
    expect(left).toBe('0');
  });
});
