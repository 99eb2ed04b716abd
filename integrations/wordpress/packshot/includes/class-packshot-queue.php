<?php
/**
 * The pictures that wait to be made, and their progress.
 *
 * @package Packshot
 */

defined( 'ABSPATH' ) || exit;

/**
 * The state of a picture is a meta row of its attachment, so it survives restarts. WP-Cron makes one picture after the
 * other; the page that shows the progress does so too, for sites whose WP-Cron does not run.
 */
class Packshot_Queue {

	const HOOK = 'packshot_work';

	/** `waiting` or `failed`; absent if there is nothing to do. */
	const STATE = '_packshot_state';
	/** Why the last try failed. */
	const REASON = '_packshot_reason';
	/** Whether the photo keeps its background. */
	const KEEP = '_packshot_keep_background';
	/** Number of tries in a row that the server could not serve. */
	const TRIES = '_packshot_tries';

	const MOST_TRIES = 60;

	/** Name of the lock, which one PHP process at a time holds. */
	const LOCK = 'packshot_lock';
	/** Seconds after which a lock is stale: longer than the three calls of one picture. */
	const LOCK_S = 330;
	/** Seconds that one run of WP-Cron works before it hands over to the next. */
	const RUN_S = 45;

	/** Registers hooks. */
	public static function add_hooks() {
		add_action( self::HOOK, array( __CLASS__, 'run' ) );
		add_action( 'wp_ajax_packshot_progress', array( __CLASS__, 'answer_progress' ) );
	}

	/**
	 * Lets a picture be made.
	 *
	 * @param int  $id               ID of the attachment.
	 * @param bool $keeps_background Whether the photo keeps its background.
	 */
	public static function add( $id, $keeps_background ) {
		if ( ! Packshot_Images::is_photo( $id ) ) {
			return;
		}
		update_post_meta( $id, self::KEEP, $keeps_background ? '1' : '' );
		update_post_meta( $id, self::STATE, 'waiting' );
		delete_post_meta( $id, self::REASON );
		delete_post_meta( $id, self::TRIES );
		self::schedule( 0 );
	}

	/**
	 * Takes a picture out of the queue.
	 *
	 * @param int $id ID of the attachment.
	 */
	public static function remove( $id ) {
		foreach ( array( self::STATE, self::REASON, self::TRIES ) as $name ) {
			delete_post_meta( $id, $name );
		}
	}

	/** Ends the event of WP-Cron. */
	public static function unschedule() {
		wp_clear_scheduled_hook( self::HOOK );
	}

	/** Works until the time is up or nothing waits. */
	public static function run() {
		$until = time() + self::RUN_S;
		do {
			$pause = self::make_next();
		} while ( 0 === $pause && time() < $until );
		if ( null !== $pause ) {
			self::schedule( $pause );
		}
	}

	/**
	 * Makes the picture that has waited longest.
	 *
	 * @return int|null Seconds until the next picture may be tried; null if none waits.
	 */
	private static function make_next() {
		if ( ! self::lock() ) {
			return 10;
		}
		try {
			$ids = self::ids( 'waiting', 1 );
			if ( array() === $ids ) {
				return null;
			}
			$id   = $ids[0];
			$made = Packshot_Images::make( $id, '1' === get_post_meta( $id, self::KEEP, true ) );
			if ( ! is_wp_error( $made ) ) {
				self::remove( $id );
				return 0;
			}
			$pause = $made->get_error_data()['retry_after'];
			$tries = (int) get_post_meta( $id, self::TRIES, true ) + 1;
			update_post_meta( $id, self::REASON, $made->get_error_message() );
			if ( null !== $pause && $tries < self::MOST_TRIES ) {
				update_post_meta( $id, self::TRIES, $tries );
				return $pause;
			}
			update_post_meta( $id, self::STATE, 'failed' );
			return 0;
		} finally {
			delete_option( self::LOCK );
		}
	}

	/**
	 * IDs of attachments in this state, the first ones added first.
	 *
	 * @param string $state `waiting` or `failed`.
	 * @param int    $most  How many; -1 for all.
	 * @return int[]
	 */
	private static function ids( $state, $most ) {
		return get_posts(
			array(
				'post_type'      => 'attachment',
				'post_status'    => 'any',
				'fields'         => 'ids',
				'posts_per_page' => $most,
				'orderby'        => 'ID',
				'order'          => 'ASC',
				// phpcs:ignore WordPress.DB.SlowDBQuery.slow_db_query_meta_key -- there is no other index of meta rows.
				'meta_key'       => self::STATE,
				// phpcs:ignore WordPress.DB.SlowDBQuery.slow_db_query_meta_value -- as above.
				'meta_value'     => $state,
			)
		);
	}

	/** Answers how many pictures wait and why the next one does, and makes the next one. */
	public static function answer_progress() {
		check_ajax_referer( 'packshot_progress' );
		if ( ! current_user_can( 'upload_files' ) ) {
			wp_send_json_error( array(), 403 );
		}
		self::make_next();
		$waiting = self::ids( 'waiting', -1 );
		wp_send_json_success(
			array(
				'waiting' => count( $waiting ),
				'failed'  => count( self::ids( 'failed', -1 ) ),
				'reason'  => array() === $waiting ? '' : get_post_meta( $waiting[0], self::REASON, true ),
			)
		);
	}

	/** How many pictures wait. */
	public static function count_waiting() {
		return count( self::ids( 'waiting', -1 ) );
	}

	/**
	 * Lets WP-Cron work.
	 *
	 * @param int $pause Seconds from now.
	 */
	private static function schedule( $pause ) {
		if ( ! wp_next_scheduled( self::HOOK ) ) {
			wp_schedule_single_event( time() + $pause, self::HOOK );
		}
	}

	/** Takes the lock, unless another process has it. */
	private static function lock() {
		// add_option inserts a row only if there is none, so only one process gets the lock.
		if ( add_option( self::LOCK, time(), '', 'no' ) ) {
			return true;
		}
		wp_cache_delete( self::LOCK, 'options' );
		if ( (int) get_option( self::LOCK ) > time() - self::LOCK_S ) {
			return false;
		}
		delete_option( self::LOCK );
		return add_option( self::LOCK, time(), '', 'no' );
	}
}
