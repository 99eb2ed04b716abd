<?php
/**
 * Deletes what the plugin stored: settings, states and the scheduled event. Pictures that it made stay, and so do the
 * original files, because posts and products show them.
 *
 * @package Packshot
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

delete_option( 'packshot' );
delete_option( 'packshot_lock' );
wp_clear_scheduled_hook( 'packshot_work' );
foreach ( array( '_packshot_original', '_packshot_result', '_packshot_state', '_packshot_reason', '_packshot_keep_background', '_packshot_tries' ) as $packshot_name ) {
	delete_post_meta_by_key( $packshot_name );
}
