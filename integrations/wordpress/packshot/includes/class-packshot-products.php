<?php
/**
 * Makes the pictures of products when they are added to a product.
 *
 * @package Packshot
 */

defined( 'ABSPATH' ) || exit;

/** WooCommerce stores a product's pictures in two meta rows of the post, so no code of WooCommerce is needed. */
class Packshot_Products {

	/** Registers hooks. */
	public static function add_hooks() {
		add_action( 'added_post_meta', array( __CLASS__, 'note' ), 10, 4 );
		add_action( 'updated_post_meta', array( __CLASS__, 'note' ), 10, 4 );
	}

	/**
	 * Called when a meta row was written.
	 *
	 * @param int    $row     ID of the row.
	 * @param int    $post_id ID of the post.
	 * @param string $name    Name of the row.
	 * @param mixed  $value   Its value.
	 */
	public static function note( $row, $post_id, $name, $value ) {
		if ( '_thumbnail_id' !== $name && '_product_image_gallery' !== $name ) {
			return;
		}
		if ( 'product' !== get_post_type( $post_id ) || ! Packshot_Settings::all()['products'] ) {
			return;
		}
		foreach ( array_filter( array_map( 'absint', explode( ',', (string) $value ) ) ) as $id ) {
			$is_new = '' === get_post_meta( $id, Packshot_Queue::STATE, true ) && ! metadata_exists( 'post', $id, Packshot_Queue::KEEP );
			if ( $is_new ) {
				Packshot_Queue::add( $id, false );
			}
		}
	}
}
