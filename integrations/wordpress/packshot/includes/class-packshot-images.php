<?php
/**
 * Replaces the picture of an attachment, and brings the original back.
 *
 * @package Packshot
 */

defined( 'ABSPATH' ) || exit;

/**
 * The attachment keeps its ID, title, alt text and place in posts and products. The new picture is a new file beside the
 * original. No file of the original is changed or deleted, because posts may name it.
 */
class Packshot_Images {

	/** What the attachment was before: `file`, `mime` and `metadata`. Present while the attachment shows our picture. */
	const ORIGINAL = '_packshot_original';

	/** What was made: `design`, `verdict` and `summary`. */
	const RESULT = '_packshot_result';

	/** Formats that the server reads and a media library may hold. */
	const MIMES = array( 'image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/tiff', 'image/gif', 'image/heic' );

	/** Registers hooks. */
	public static function add_hooks() {
		add_action( 'delete_attachment', array( __CLASS__, 'delete_original' ) );
	}

	/**
	 * Whether the attachment is a photo that can be sent.
	 *
	 * @param int $id ID of the attachment.
	 */
	public static function is_photo( $id ) {
		return 'attachment' === get_post_type( $id ) && in_array( get_post_mime_type( $id ), self::MIMES, true );
	}

	/**
	 * Whether the attachment shows our picture.
	 *
	 * @param int $id ID of the attachment.
	 */
	public static function is_made( $id ) {
		return '' !== get_post_meta( $id, self::ORIGINAL, true );
	}

	/**
	 * Makes the picture and shows it in place of the original.
	 *
	 * @param int  $id               ID of the attachment.
	 * @param bool $keeps_background Whether the photo keeps its background.
	 * @return true|WP_Error
	 */
	public static function make( $id, $keeps_background ) {
		$photo = self::photo_of( $id );
		if ( null === $photo ) {
			return new WP_Error( 'packshot_no_photo', __( 'This is not a photo that Packshot can read.', 'packshot' ), array( 'status' => 0, 'retry_after' => null ) );
		}
		$settings = Packshot_Settings::all();
		$client   = Packshot_Settings::client();
		// The same photo is the same upload, so a repeated try does not start over.
		$design = $client->upload( $photo, $keeps_background, substr( hash( 'sha256', wp_salt() . $id . ( $keeps_background ? 'k' : '' ) . filemtime( $photo ) . $photo ), 0, 40 ) );
		if ( is_wp_error( $design ) ) {
			return $design;
		}
		$format = 'Transp001' === $settings['recipe'] ? 'png' : 'jpeg';
		$bytes  = $client->render( $design, $settings['recipe'], $settings['ratio'], $format );
		if ( is_wp_error( $bytes ) ) {
			return $bytes;
		}
		$shown = self::show( $id, $photo, $bytes, $format );
		if ( is_wp_error( $shown ) ) {
			return $shown;
		}
		$result = array( 'design' => $design );
		if ( '' !== $settings['marketplace'] ) {
			$check = $client->check( $design, $settings['recipe'], $settings['ratio'], $settings['marketplace'] );
			if ( ! is_wp_error( $check ) ) {
				$result += $check + array( 'marketplace' => $settings['marketplace'] );
			}
		}
		update_post_meta( $id, self::RESULT, $result );
		return true;
	}

	/**
	 * Brings the original back, and deletes what was made.
	 *
	 * @param int $id ID of the attachment.
	 */
	public static function undo( $id ) {
		$original = get_post_meta( $id, self::ORIGINAL, true );
		if ( ! is_array( $original ) ) {
			return;
		}
		$made  = wp_get_attachment_metadata( $id );
		$file  = get_attached_file( $id );
		$sizes = isset( $made['sizes'] ) ? $made['sizes'] : array();
		update_attached_file( $id, $original['file'] );
		wp_update_attachment_metadata( $id, $original['metadata'] );
		wp_update_post( array( 'ID' => $id, 'post_mime_type' => $original['mime'] ) );
		delete_post_meta( $id, self::ORIGINAL );
		delete_post_meta( $id, self::RESULT );
		wp_delete_file( $file );
		foreach ( $sizes as $size ) {
			wp_delete_file( path_join( dirname( $file ), $size['file'] ) );
		}
	}

	/**
	 * Deletes the files of the original when the attachment is deleted. WordPress deletes those of our picture.
	 *
	 * @param int $id ID of the attachment.
	 */
	public static function delete_original( $id ) {
		$original = get_post_meta( $id, self::ORIGINAL, true );
		if ( ! is_array( $original ) ) {
			return;
		}
		$path = self::full_path( $original['file'] );
		wp_delete_attachment_files( $id, $original['metadata'], array(), $path );
	}

	/**
	 * Returns the best file of the original photo, or null.
	 *
	 * @param int $id ID of the attachment.
	 * @return string|null
	 */
	private static function photo_of( $id ) {
		$original = get_post_meta( $id, self::ORIGINAL, true );
		if ( is_array( $original ) ) {
			$file = self::full_path( $original['file'] );
			$full = isset( $original['metadata']['original_image'] ) ? path_join( dirname( $file ), $original['metadata']['original_image'] ) : $file;
		} else {
			// WordPress shrinks large uploads, and keeps the file that was uploaded.
			$full = self::is_photo( $id ) ? wp_get_original_image_path( $id ) : false;
		}
		return $full && is_readable( $full ) ? $full : null;
	}

	/**
	 * Stores the picture beside the photo, and makes it the attachment's file.
	 *
	 * @param int    $id     ID of the attachment.
	 * @param string $photo  File of the photo.
	 * @param string $bytes  The picture.
	 * @param string $format Its format.
	 * @return true|WP_Error
	 */
	private static function show( $id, $photo, $bytes, $format ) {
		require_once ABSPATH . 'wp-admin/includes/image.php';
		$before = get_post_meta( $id, self::ORIGINAL, true );
		if ( ! is_array( $before ) ) {
			$before = array(
				'file'     => get_post_meta( $id, '_wp_attached_file', true ),
				'mime'     => get_post_mime_type( $id ),
				'metadata' => wp_get_attachment_metadata( $id ),
			);
		} else {
			self::undo( $id );
		}
		$folder = dirname( $photo );
		$name   = wp_unique_filename( $folder, pathinfo( $photo, PATHINFO_FILENAME ) . '-packshot.' . ( 'jpeg' === $format ? 'jpg' : $format ) );
		$path   = path_join( $folder, $name );
		// phpcs:ignore WordPress.WP.AlternativeFunctions.file_system_operations_file_put_contents -- WP_Filesystem may ask for a password.
		if ( false === file_put_contents( $path, $bytes ) ) {
			return new WP_Error( 'packshot_unwritable', __( 'The uploads folder is not writable.', 'packshot' ), array( 'status' => 0, 'retry_after' => null ) );
		}
		update_post_meta( $id, self::ORIGINAL, $before );
		update_attached_file( $id, $path );
		wp_update_post( array( 'ID' => $id, 'post_mime_type' => "image/$format" ) );
		wp_update_attachment_metadata( $id, wp_generate_attachment_metadata( $id, $path ) );
		return true;
	}

	/**
	 * Full path of a file that is named relative to the uploads folder.
	 *
	 * @param string $file As in the meta `_wp_attached_file`.
	 */
	private static function full_path( $file ) {
		return path_is_absolute( $file ) ? $file : path_join( wp_get_upload_dir()['basedir'], $file );
	}
}
