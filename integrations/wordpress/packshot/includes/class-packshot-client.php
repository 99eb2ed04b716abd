<?php
/**
 * Calls the Packshot server.
 *
 * @package Packshot
 */

defined( 'ABSPATH' ) || exit;

/**
 * Every method returns its result, or a WP_Error whose data has `status` (0 if the server did not answer) and
 * `retry_after` (seconds, or null if the same call would fail again).
 */
class Packshot_Client {

	/** Seconds that a call may take. Calls run in WP-Cron or in a request of their own, never while a page loads. */
	const TIMEOUT = 300;

	/** Seconds until the next try if the server did not answer, or did not say when. */
	const PAUSE = 30;

	/**
	 * URL of the server, without a slash at its end.
	 *
	 * @var string
	 */
	private $url;

	/**
	 * API key.
	 *
	 * @var string
	 */
	private $key;

	/**
	 * Opens no connection.
	 *
	 * @param string $url URL of the server.
	 * @param string $key API key.
	 */
	public function __construct( $url, $key ) {
		$this->url = untrailingslashit( $url );
		$this->key = $key;
	}

	/**
	 * Limits of the server, to test URL and key.
	 *
	 * @return array|WP_Error
	 */
	public function limits() {
		return $this->ask_json( 'GET', '/v1/limits', array( 'timeout' => 10 ) );
	}

	/**
	 * Recipes, and the looks of the key's account.
	 *
	 * @return array|WP_Error Lists of `id` and `title`.
	 */
	public function recipes() {
		$recipes = $this->ask_json( 'GET', '/v1/recipes', array( 'timeout' => 10 ) );
		if ( is_wp_error( $recipes ) ) {
			return $recipes;
		}
		$looks = $this->ask_json( 'GET', '/v1/looks', array( 'timeout' => 10 ) );
		return array(
			'recipes' => isset( $recipes['recipes'] ) ? $recipes['recipes'] : array(),
			'looks'   => is_wp_error( $looks ) || ! isset( $looks['looks'] ) ? array() : $looks['looks'],
		);
	}

	/**
	 * Uploads a photo. A repeated call with the same `$name` of the call returns the same design.
	 *
	 * @param string $path             File of the photo.
	 * @param bool   $keeps_background Whether the photo keeps its background.
	 * @param string $idempotency_key  Names this upload.
	 * @return string|WP_Error ID of the design.
	 */
	public function upload( $path, $keeps_background, $idempotency_key ) {
		// phpcs:ignore WordPress.WP.AlternativeFunctions.file_get_contents_file_get_contents -- a local file.
		$bytes = file_get_contents( $path );
		if ( false === $bytes ) {
			return new WP_Error( 'packshot_unreadable', __( 'The file cannot be read.', 'packshot' ), array( 'status' => 0, 'retry_after' => null ) );
		}
		$boundary = wp_generate_password( 32, false );
		$name     = str_replace( array( '"', "\r", "\n" ), '', basename( $path ) );
		$fields   = $keeps_background ? array( 'cutout' => 'none' ) : array();
		$body     = '';
		foreach ( $fields as $field => $value ) {
			$body .= "--$boundary\r\nContent-Disposition: form-data; name=\"$field\"\r\n\r\n$value\r\n";
		}
		$body  .= "--$boundary\r\nContent-Disposition: form-data; name=\"file\"; filename=\"$name\"\r\nContent-Type: application/octet-stream\r\n\r\n$bytes\r\n--$boundary--\r\n";
		$answer = $this->ask_json(
			'POST',
			'/v1/design/image-upload',
			array(
				'body'    => $body,
				'headers' => array(
					'Content-Type'    => "multipart/form-data; boundary=$boundary",
					'Idempotency-Key' => $idempotency_key,
				),
			)
		);
		return is_wp_error( $answer ) ? $answer : $answer['id'];
	}

	/**
	 * Renders the full version.
	 *
	 * @param string $design  ID of the design.
	 * @param string $recipe  ID of a recipe or a look.
	 * @param string $variant Aspect ratio, such as `1:1`.
	 * @param string $format  `jpeg`, `png` or `webp`.
	 * @return string|WP_Error The picture's bytes.
	 */
	public function render( $design, $recipe, $variant, $format ) {
		$body = wp_json_encode(
			array(
				'id'       => $design,
				'recipeId' => $recipe,
				'variant'  => $variant,
			)
		);
		return $this->ask( 'POST', "/v1/design/generated.$format", array( 'body' => $body, 'headers' => array( 'Content-Type' => 'application/json' ) ) );
	}

	/**
	 * Checks a picture against a marketplace's rules.
	 *
	 * @param string $design      ID of the design.
	 * @param string $recipe      ID of a recipe or a look.
	 * @param string $variant     Aspect ratio.
	 * @param string $marketplace ID of the marketplace.
	 * @return array|WP_Error `verdict` (`passes`, `fails`, `unclear`) and `summary`.
	 */
	public function check( $design, $recipe, $variant, $marketplace ) {
		$query  = http_build_query(
			array(
				'marketplace' => $marketplace,
				'recipeId'    => $recipe,
				'variant'     => $variant,
			)
		);
		$answer = $this->ask_json( 'GET', '/v1/design/' . rawurlencode( $design ) . "/check?$query" );
		if ( is_wp_error( $answer ) ) {
			return $answer;
		}
		$result = isset( $answer['checks'][0] ) ? $answer['checks'][0] : array();
		return array(
			'verdict' => isset( $result['verdict'] ) ? $result['verdict'] : 'unclear',
			'summary' => isset( $result['summary'] ) ? $result['summary'] : '',
		);
	}

	/**
	 * Calls and parses the response as JSON.
	 *
	 * @param string $method  HTTP method.
	 * @param string $path    Path and query.
	 * @param array  $options Of `wp_remote_request`.
	 * @return array|WP_Error
	 */
	private function ask_json( $method, $path, $options = array() ) {
		$body = $this->ask( $method, $path, $options );
		if ( is_wp_error( $body ) ) {
			return $body;
		}
		$json = json_decode( $body, true );
		if ( is_array( $json ) ) {
			return $json;
		}
		return new WP_Error( 'packshot_not_packshot', __( 'The server at this URL is not a Packshot server.', 'packshot' ), array( 'status' => 200, 'retry_after' => null ) );
	}

	/**
	 * Calls the server.
	 *
	 * @param string $method  HTTP method.
	 * @param string $path    Path and query.
	 * @param array  $options Of `wp_remote_request`.
	 * @return string|WP_Error The response's body.
	 */
	private function ask( $method, $path, $options = array() ) {
		$options['method']               = $method;
		$options['timeout']              = isset( $options['timeout'] ) ? $options['timeout'] : self::TIMEOUT;
		$options['redirection']          = 0;
		$options['headers']              = isset( $options['headers'] ) ? $options['headers'] : array();
		$options['headers']['X-Api-Key'] = $this->key;

		// Not wp_safe_remote_request: the server is usually at a private address that the site's owner entered.
		$response = wp_remote_request( $this->url . $path, $options );
		if ( is_wp_error( $response ) ) {
			/* translators: %s: reason, such as a time-out. */
			$text = sprintf( __( 'The Packshot server does not answer: %s', 'packshot' ), $response->get_error_message() );
			return new WP_Error( 'packshot_unreachable', $text, array( 'status' => 0, 'retry_after' => self::PAUSE ) );
		}
		$status = (int) wp_remote_retrieve_response_code( $response );
		$body   = wp_remote_retrieve_body( $response );
		if ( 200 === $status ) {
			return $body;
		}
		$problem = json_decode( $body, true );
		$detail  = isset( $problem['detail'] ) ? $problem['detail'] : "HTTP $status";
		$code    = isset( $problem['code'] ) ? $problem['code'] : 'http_error';
		$header  = wp_remote_retrieve_header( $response, 'retry-after' );
		$again   = 429 === $status || $status >= 500;
		$pause   = is_numeric( $header ) ? max( 1, (int) $header ) : self::PAUSE;
		return new WP_Error( "packshot_$code", $detail, array( 'status' => $status, 'retry_after' => $again ? $pause : null ) );
	}
}
