<?php
/**
 * Settings, and their page.
 *
 * @package Packshot
 */

defined( 'ABSPATH' ) || exit;

/** One option holds all settings. */
class Packshot_Settings {

	const OPTION = 'packshot';
	const PAGE   = 'packshot';

	const RATIOS = array( '1:1', '4:5', '3:4', '2:3', '9:16', '5:4', '4:3', '3:2', '16:9' );

	/** The most common recipes; the server's own list is offered once it answers. */
	const RECIPES = array(
		'Solid1_1_0035' => 'White',
		'Transp001'     => 'Transparent',
	);

	const MARKETPLACES = array( 'amazon', 'google', 'walmart', 'ebay', 'bol', 'otto', 'tiktok', 'shopify', 'etsy' );

	/** Registers hooks. */
	public static function add_hooks() {
		add_action( 'admin_menu', array( __CLASS__, 'add_page' ) );
		add_action( 'admin_init', array( __CLASS__, 'register' ) );
		add_action( 'wp_ajax_packshot_test', array( __CLASS__, 'test' ) );
		add_filter( 'plugin_action_links_' . plugin_basename( PACKSHOT_FILE ), array( __CLASS__, 'add_link' ) );
	}

	/**
	 * All settings, with their defaults.
	 *
	 * @return array
	 */
	public static function all() {
		$defaults = array(
			'url'         => 'http://127.0.0.1:8080',
			'key'         => '',
			'recipe'      => 'Solid1_1_0035',
			'ratio'       => '1:1',
			'products'    => false,
			'marketplace' => '',
		);
		return wp_parse_args( get_option( self::OPTION, array() ), $defaults );
	}

	/**
	 * A client for the server of the settings.
	 *
	 * @return Packshot_Client
	 */
	public static function client() {
		$settings = self::all();
		return new Packshot_Client( $settings['url'], $settings['key'] );
	}

	/** Adds the page. */
	public static function add_page() {
		add_options_page( __( 'Packshot', 'packshot' ), __( 'Packshot', 'packshot' ), 'manage_options', self::PAGE, array( __CLASS__, 'show_page' ) );
	}

	/**
	 * Adds the link to the settings in the list of plugins.
	 *
	 * @param array $links Links of the plugin.
	 * @return array
	 */
	public static function add_link( $links ) {
		$url = admin_url( 'options-general.php?page=' . self::PAGE );
		array_unshift( $links, '<a href="' . esc_url( $url ) . '">' . esc_html__( 'Settings', 'packshot' ) . '</a>' );
		return $links;
	}

	/** Registers the option. */
	public static function register() {
		register_setting(
			self::PAGE,
			self::OPTION,
			array(
				'type'              => 'array',
				'sanitize_callback' => array( __CLASS__, 'sanitize' ),
				'show_in_rest'      => false,
			)
		);
	}

	/**
	 * Cleans what the form sent. An empty key leaves the stored key.
	 *
	 * @param mixed $input What the form sent.
	 * @return array
	 */
	public static function sanitize( $input ) {
		$input = is_array( $input ) ? $input : array();
		$old   = self::all();
		$text  = function ( $name ) use ( $input, $old ) {
			return isset( $input[ $name ] ) && is_string( $input[ $name ] ) ? sanitize_text_field( $input[ $name ] ) : $old[ $name ];
		};
		$url   = esc_url_raw( $text( 'url' ), array( 'http', 'https' ) );
		if ( '' === $url ) {
			add_settings_error( self::OPTION, 'url', __( 'The URL must begin with http:// or https://.', 'packshot' ) );
			$url = $old['url'];
		}
		$key         = $text( 'key' );
		$recipe      = $text( 'recipe' );
		$marketplace = $text( 'marketplace' );
		return array(
			'url'         => untrailingslashit( $url ),
			'key'         => '' === $key ? $old['key'] : $key,
			'recipe'      => preg_match( '/^[A-Za-z0-9_]{1,100}$/', $recipe ) ? $recipe : $old['recipe'],
			'ratio'       => in_array( $text( 'ratio' ), self::RATIOS, true ) ? $text( 'ratio' ) : $old['ratio'],
			'products'    => ! empty( $input['products'] ),
			'marketplace' => in_array( $marketplace, self::MARKETPLACES, true ) ? $marketplace : '',
		);
	}

	/** Answers the test button: tries URL and key, and returns the recipes that the key may use. */
	public static function test() {
		check_ajax_referer( 'packshot_test' );
		if ( ! current_user_can( 'manage_options' ) ) {
			wp_send_json_error( array( 'message' => __( 'You may not do this.', 'packshot' ) ), 403 );
		}
		$settings = self::all();
		$url      = isset( $_POST['url'] ) ? esc_url_raw( wp_unslash( $_POST['url'] ), array( 'http', 'https' ) ) : $settings['url'];
		$key      = isset( $_POST['key'] ) ? sanitize_text_field( wp_unslash( $_POST['key'] ) ) : '';
		$client   = new Packshot_Client( $url, '' === $key ? $settings['key'] : $key );
		$limits   = $client->limits();
		if ( is_wp_error( $limits ) ) {
			wp_send_json_error( array( 'message' => $limits->get_error_message() ) );
		}
		$lists = $client->recipes();
		wp_send_json_success(
			array(
				'message' => __( 'The server answers, and the key is valid.', 'packshot' ),
				'recipes' => is_wp_error( $lists ) ? array() : array_merge( $lists['looks'], $lists['recipes'] ),
			)
		);
	}

	/** Shows the page. */
	public static function show_page() {
		$settings = self::all();
		$recipes  = self::RECIPES + array( $settings['recipe'] => $settings['recipe'] );
		wp_enqueue_script( 'packshot-settings', plugins_url( 'assets/settings.js', PACKSHOT_FILE ), array(), PACKSHOT_VERSION, true );
		wp_localize_script( 'packshot-settings', 'packshotSettings', array( 'url' => admin_url( 'admin-ajax.php' ), 'nonce' => wp_create_nonce( 'packshot_test' ) ) );
		?>
		<div class="wrap">
			<h1><?php esc_html_e( 'Packshot', 'packshot' ); ?></h1>
			<form method="post" action="options.php">
				<?php settings_fields( self::PAGE ); ?>
				<table class="form-table" role="presentation">
					<tr>
						<th scope="row"><label for="packshot-url"><?php esc_html_e( 'Server', 'packshot' ); ?></label></th>
						<td><input class="regular-text code" type="url" id="packshot-url" name="packshot[url]" value="<?php echo esc_attr( $settings['url'] ); ?>" required></td>
					</tr>
					<tr>
						<th scope="row"><label for="packshot-key"><?php esc_html_e( 'API key', 'packshot' ); ?></label></th>
						<td>
							<input class="regular-text code" type="password" id="packshot-key" name="packshot[key]" value="" autocomplete="off" placeholder="<?php echo esc_attr( '' === $settings['key'] ? 'psk_live_…' : __( 'stored; leave empty to keep it', 'packshot' ) ); ?>">
							<button type="button" class="button" id="packshot-test"><?php esc_html_e( 'Test', 'packshot' ); ?></button>
							<p class="description" id="packshot-answer" role="status"><?php esc_html_e( 'On the server: npx packshot keys create --name wordpress', 'packshot' ); ?></p>
						</td>
					</tr>
					<tr>
						<th scope="row"><label for="packshot-recipe"><?php esc_html_e( 'Recipe or look', 'packshot' ); ?></label></th>
						<td>
							<select id="packshot-recipe" name="packshot[recipe]">
								<?php foreach ( $recipes as $id => $title ) : ?>
									<option value="<?php echo esc_attr( $id ); ?>" <?php selected( $settings['recipe'], $id ); ?>><?php echo esc_html( $title ); ?></option>
								<?php endforeach; ?>
							</select>
							<select name="packshot[ratio]" aria-label="<?php esc_attr_e( 'Aspect ratio', 'packshot' ); ?>">
								<?php foreach ( self::RATIOS as $ratio ) : ?>
									<option <?php selected( $settings['ratio'], $ratio ); ?>><?php echo esc_html( $ratio ); ?></option>
								<?php endforeach; ?>
							</select>
							<p class="description"><?php esc_html_e( 'Test the connection to choose from all recipes and your looks.', 'packshot' ); ?></p>
						</td>
					</tr>
					<tr>
						<th scope="row"><?php esc_html_e( 'Products', 'packshot' ); ?></th>
						<td>
							<label><input type="checkbox" name="packshot[products]" value="1" <?php checked( $settings['products'] ); ?>> <?php esc_html_e( 'Make the pictures of WooCommerce products when they are added to a product', 'packshot' ); ?></label>
							<p class="description"><?php esc_html_e( 'Originals are always kept and can be brought back.', 'packshot' ); ?></p>
						</td>
					</tr>
					<tr>
						<th scope="row"><label for="packshot-marketplace"><?php esc_html_e( 'Check for', 'packshot' ); ?></label></th>
						<td>
							<select id="packshot-marketplace" name="packshot[marketplace]">
								<option value=""><?php esc_html_e( 'no marketplace', 'packshot' ); ?></option>
								<?php foreach ( self::MARKETPLACES as $id ) : ?>
									<option value="<?php echo esc_attr( $id ); ?>" <?php selected( $settings['marketplace'], $id ); ?>><?php echo esc_html( ucfirst( $id ) ); ?></option>
								<?php endforeach; ?>
							</select>
						</td>
					</tr>
				</table>
				<?php submit_button(); ?>
			</form>
		</div>
		<?php
	}
}
