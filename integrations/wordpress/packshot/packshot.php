<?php
/**
 * Plugin Name:       Packshot
 * Description:       Turns product photos of the media library into pictures on white, a color or a scene, with your own Packshot server. The original is kept, and one click brings it back.
 * Version:           0.1.0
 * Requires at least: 6.1
 * Requires PHP:      7.4
 * License:           GPL-2.0-or-later
 * License URI:       https://www.gnu.org/licenses/gpl-2.0.html
 * Text Domain:       packshot
 *
 * @package Packshot
 */

defined( 'ABSPATH' ) || exit;

define( 'PACKSHOT_FILE', __FILE__ );
define( 'PACKSHOT_VERSION', '0.1.0' );

require_once __DIR__ . '/includes/class-packshot-settings.php';
require_once __DIR__ . '/includes/class-packshot-client.php';
require_once __DIR__ . '/includes/class-packshot-images.php';
require_once __DIR__ . '/includes/class-packshot-queue.php';
require_once __DIR__ . '/includes/class-packshot-media.php';
require_once __DIR__ . '/includes/class-packshot-products.php';

Packshot_Settings::add_hooks();
Packshot_Images::add_hooks();
Packshot_Queue::add_hooks();
Packshot_Media::add_hooks();
Packshot_Products::add_hooks();

register_deactivation_hook( __FILE__, array( 'Packshot_Queue', 'unschedule' ) );
