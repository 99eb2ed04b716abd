<?php
/**
 * Buttons, bulk actions and states in the media library and on the screen of an attachment.
 *
 * @package Packshot
 */

defined( 'ABSPATH' ) || exit;

/** All actions need a nonce, and the right to edit the attachment. */
class Packshot_Media {

	/** Registers hooks. */
	public static function add_hooks() {
		add_filter( 'bulk_actions-upload', array( __CLASS__, 'add_bulk_actions' ) );
		add_filter( 'handle_bulk_actions-upload', array( __CLASS__, 'handle_bulk' ), 10, 3 );
		add_filter( 'media_row_actions', array( __CLASS__, 'add_row_actions' ), 10, 2 );
		add_filter( 'manage_media_columns', array( __CLASS__, 'add_column' ) );
		add_action( 'manage_media_custom_column', array( __CLASS__, 'show_column' ), 10, 2 );
		add_filter( 'attachment_fields_to_edit', array( __CLASS__, 'add_field' ), 10, 2 );
		add_action( 'admin_post_packshot', array( __CLASS__, 'handle_action' ) );
		add_action( 'admin_notices', array( __CLASS__, 'show_progress' ) );
	}

	/** Titles of the actions, by name. */
	private static function actions() {
		return array(
			'make' => __( 'Make packshot', 'packshot' ),
			'keep' => __( 'Make packshot, keep background', 'packshot' ),
			'undo' => __( 'Bring original back', 'packshot' ),
		);
	}

	/**
	 * Does an action.
	 *
	 * @param string $action `make`, `keep` or `undo`.
	 * @param int    $id     ID of the attachment.
	 */
	private static function act( $action, $id ) {
		if ( 'undo' === $action ) {
			Packshot_Queue::remove( $id );
			Packshot_Images::undo( $id );
		} else {
			Packshot_Queue::add( $id, 'keep' === $action );
		}
	}

	/**
	 * Adds the bulk actions.
	 *
	 * @param array $actions Titles by name.
	 * @return array
	 */
	public static function add_bulk_actions( $actions ) {
		foreach ( self::actions() as $name => $title ) {
			$actions[ "packshot_$name" ] = $title;
		}
		return $actions;
	}

	/**
	 * Does a bulk action. WordPress has checked the nonce.
	 *
	 * @param string $to     Where the browser goes next.
	 * @param string $action Name of the action.
	 * @param int[]  $ids    IDs of attachments.
	 * @return string
	 */
	public static function handle_bulk( $to, $action, $ids ) {
		$name = preg_replace( '/^packshot_/', '', $action );
		if ( "packshot_$name" !== $action || ! isset( self::actions()[ $name ] ) ) {
			return $to;
		}
		foreach ( $ids as $id ) {
			if ( current_user_can( 'edit_post', $id ) ) {
				self::act( $name, (int) $id );
			}
		}
		return $to;
	}

	/** Does an action for one attachment, from a link. */
	public static function handle_action() {
		$id   = isset( $_GET['attachment'] ) ? absint( $_GET['attachment'] ) : 0;
		$name = isset( $_GET['do'] ) ? sanitize_key( $_GET['do'] ) : '';
		check_admin_referer( "packshot-$name-$id" );
		if ( ! current_user_can( 'edit_post', $id ) || ! isset( self::actions()[ $name ] ) || 'attachment' !== get_post_type( $id ) ) {
			wp_die( esc_html__( 'You may not do this.', 'packshot' ), '', array( 'response' => 403 ) );
		}
		self::act( $name, $id );
		$back = wp_get_referer();
		wp_safe_redirect( $back ? $back : admin_url( 'upload.php' ) );
		exit;
	}

	/**
	 * Links for the actions that an attachment offers.
	 *
	 * @param int $id ID of the attachment.
	 * @return string[] HTML by name.
	 */
	private static function links( $id ) {
		if ( ! current_user_can( 'edit_post', $id ) || ! ( Packshot_Images::is_photo( $id ) || Packshot_Images::is_made( $id ) ) ) {
			return array();
		}
		$names = Packshot_Images::is_made( $id ) ? array( 'make', 'keep', 'undo' ) : array( 'make', 'keep' );
		$links = array();
		foreach ( $names as $name ) {
			$query                    = array(
				'action'     => 'packshot',
				'do'         => $name,
				'attachment' => $id,
			);
			$url                      = wp_nonce_url( add_query_arg( $query, admin_url( 'admin-post.php' ) ), "packshot-$name-$id" );
			$links[ "packshot_$name" ] = '<a href="' . esc_url( $url ) . '">' . esc_html( self::actions()[ $name ] ) . '</a>';
		}
		return $links;
	}

	/**
	 * Adds the actions below an attachment's name.
	 *
	 * @param array   $actions Links.
	 * @param WP_Post $post    The attachment.
	 * @return array
	 */
	public static function add_row_actions( $actions, $post ) {
		return $actions + self::links( $post->ID );
	}

	/**
	 * Adds the column.
	 *
	 * @param array $columns Titles by name.
	 * @return array
	 */
	public static function add_column( $columns ) {
		return $columns + array( 'packshot' => __( 'Packshot', 'packshot' ) );
	}

	/**
	 * Shows the state in the column.
	 *
	 * @param string $column Name of the column.
	 * @param int    $id     ID of the attachment.
	 */
	public static function show_column( $column, $id ) {
		if ( 'packshot' === $column ) {
			echo wp_kses_post( self::describe( $id ) );
		}
	}

	/**
	 * Adds state and actions to the screen of the attachment and to the window of the media library.
	 *
	 * @param array   $fields Fields.
	 * @param WP_Post $post   The attachment.
	 * @return array
	 */
	public static function add_field( $fields, $post ) {
		$links = self::links( $post->ID );
		if ( array() !== $links ) {
			$fields['packshot'] = array(
				'label' => __( 'Packshot', 'packshot' ),
				'input' => 'html',
				'html'  => wp_kses_post( implode( '<br>', array_filter( array( self::describe( $post->ID ), implode( ' | ', $links ) ) ) ) ),
			);
		}
		return $fields;
	}

	/**
	 * State of an attachment, as HTML.
	 *
	 * @param int $id ID of the attachment.
	 */
	private static function describe( $id ) {
		$state  = get_post_meta( $id, Packshot_Queue::STATE, true );
		$reason = get_post_meta( $id, Packshot_Queue::REASON, true );
		$result = get_post_meta( $id, Packshot_Images::RESULT, true );
		$parts  = array();
		if ( 'waiting' === $state ) {
			$parts[] = esc_html__( 'Waiting', 'packshot' );
		} elseif ( 'failed' === $state ) {
			$parts[] = esc_html__( 'Not made; the original is unchanged.', 'packshot' );
		} elseif ( Packshot_Images::is_made( $id ) ) {
			$parts[] = esc_html__( 'Made', 'packshot' );
		}
		if ( $reason ) {
			$parts[] = esc_html( $reason );
		}
		if ( isset( $result['verdict'], $result['marketplace'] ) ) {
			$words   = array(
				'passes'  => __( 'passes', 'packshot' ),
				'fails'   => __( 'fails', 'packshot' ),
				'unclear' => __( 'please look', 'packshot' ),
			);
			$verdict = isset( $words[ $result['verdict'] ] ) ? $words[ $result['verdict'] ] : $words['unclear'];
			$parts[] = '<span class="packshot-verdict" title="' . esc_attr( $result['summary'] ) . '">' . esc_html( ucfirst( $result['marketplace'] ) . ': ' . $verdict ) . '</span>';
		}
		return implode( '<br>', $parts );
	}

	/** Shows how many pictures wait, and goes on until none does. */
	public static function show_progress() {
		$screen  = get_current_screen();
		$waiting = $screen && 'upload' === $screen->id && current_user_can( 'upload_files' ) ? Packshot_Queue::count_waiting() : 0;
		if ( 0 === $waiting ) {
			return;
		}
		wp_enqueue_script( 'packshot-progress', plugins_url( 'assets/progress.js', PACKSHOT_FILE ), array(), PACKSHOT_VERSION, true );
		wp_localize_script(
			'packshot-progress',
			'packshotProgress',
			array(
				'url'   => admin_url( 'admin-ajax.php' ),
				'nonce' => wp_create_nonce( 'packshot_progress' ),
				/* translators: %d: number of pictures. */
				'text'  => __( 'Packshot: %d pictures wait. You may leave this page.', 'packshot' ),
				'done'  => __( 'Packshot: done. Load the page again to see the pictures.', 'packshot' ),
			)
		);
		/* translators: %d: number of pictures. */
		$text = sprintf( __( 'Packshot: %d pictures wait. You may leave this page.', 'packshot' ), $waiting );
		echo '<div class="notice notice-info" id="packshot-progress" role="status"><p>' . esc_html( $text ) . '</p></div>';
	}
}
